import { isSecretName, secretsIn } from '#contract/secret-values';
import { visibleText } from './visible-text.ts';

/** Characters of a text that are looked at; it may be of any length. */
const longestRead = 65_536;
/** What a secret at the end of that may have lost its beginning or end by. */
const longestSecret = 16_384;

/** Names that hold secrets in texts, besides those that hold them everywhere. */
const otherNames = /^(?:pw|pwd|pass|sid|sess|session|session_?id|jsessionid|jwt|sig|signature)$/i;

/** A cookie is all that stands in its line. */
const cookie = /\b((?:set-)?cookie["']?\s*[:=]\s*)[^\r\n]+/gi;

/** `name=value`, `"name": "value"`, `name: scheme value`. */
const assignment =
  /(?<![\w.-])([A-Za-z_][\w.-]{0,99})(\\?["']?\s{0,8}[:=]\s{0,8})((?:basic|bearer|digest|apikey|token)\s{1,8}[^\s"',;&<>)}\]]+|\\?"(?:[^"\\]|\\[^"])*\\?"?|'[^']*'?|[^\s"',;&<>)}\]]+)/gi;

/** A scheme and what looks like no word: digits, `=`, or a capital after a small letter. */
const scheme =
  /\b([Bb]asic|BASIC|[Bb]earer|BEARER)(\s{1,8})(?=\S{0,256}?(?:[\d=]|[a-z][A-Z]))[\w.~+/=-]{6,}/g;

/**
 * What a back end says in words of its own, for a caller to read: without what looks like a secret, in
 * one line without characters that nobody sees, and not longer than `most` characters. What is secret is
 * taken out before anything is cut, or half of it would pass for something else.
 */
export function saidByBackEnd(text: string, most: number): string {
  const read = text.slice(0, longestRead);
  const clean = withoutSecrets(visibleText(read));
  const whole = read.length < text.length ? clean.slice(0, -longestSecret) : clean;
  return whole.replace(/\s+/g, ' ').trim().slice(0, most);
}

/** The same text with dots where something secret stood. */
export function withoutSecrets(text: string): string {
  return withoutShapes(
    text
      .replace(cookie, '$1…')
      .replace(assignment, (whole, name: string, between: string, value: string) =>
        isSecretName(name) || otherNames.test(name) ? `${name}${between}${dotsFor(value)}` : whole,
      )
      .replace(scheme, '$1$2…'),
  );
}

/** With its quotes, so that what is around it can still be read. */
function dotsFor(value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  return `${quote}…${quote !== '' && value.length > quote.length && value.endsWith(quote) ? quote : ''}`;
}

function withoutShapes(text: string): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of secretsIn(text)) {
    shown += `${text.slice(at, start)}…`;
    at = end;
  }
  return shown + text.slice(at);
}
