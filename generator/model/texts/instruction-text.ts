import { cleanText, roleMarksIn } from './clean-text.ts';
import { oncePerText } from './once-per-text.ts';

/** Sentences that speak to the model instead of describing an argument. */
const imperatives = [
  /\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|of|the|these|those|your|my)\s+){0,4}(?:previous|prior|earlier|preceding|above|other|existing|system)\s+(?:\w+\s+){0,2}(?:instruction|prompt|message|direction|rule|guideline|command)s?\b/i,
  // What a request or an account has to have is asked of callers everywhere.
  /\byou\s+must\b(?!\s+(?:also\s+|either\s+)?(?:have|be|provide|specify|supply|set|choose|select|reference|define|upgrade|enable|own|register|authenticate)\b)/i,
  /(?:^|[\n.;!?])[^\S\n]*(?:system|assistant)\s*:/i,
];

const longestShown = 80;

/** What in a vendor's text reads like an instruction to the model; `undefined` where nothing does. */
export function instructionIn(text: unknown): string | undefined {
  return typeof text === 'string' ? instructionOf(text) : undefined;
}

const instructionOf = oncePerText((text) => {
  const [mark] = roleMarksIn(text);
  const clean = cleanText(text) ?? '';
  const found = mark ?? imperatives.map((pattern) => pattern.exec(clean)?.[0]).find(Boolean);
  return found?.replace(/\s+/g, ' ').trim().slice(0, longestShown);
});
