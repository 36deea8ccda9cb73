import type { ApiOperation } from '../model/api-operations.ts';
import { cleanText, shorten } from '../model/clean-text.ts';

const longest = 140;
const shortest = 10;

/** What an operation does, in one phrase: its summary, or else how its description begins. */
export function purposeOf({ id, node, method, path }: ApiOperation): string {
  // Some vendors write whole sentences where a name should stand.
  const sentence = id?.includes(' ') ? id : undefined;
  const candidates = [node['summary'], sentence, ...sentencesOf(node['description'])];
  const text = candidates.map(phrase).find((found) => found !== undefined && !isWarning(found));
  const request = `${method} ${path}`;
  if (text === undefined) return shorten(request.padEnd(shortest, '.'), longest);
  return shorten(text.length < shortest ? `${text} (${request})` : text, longest);
}

function sentencesOf(text: unknown): string[] {
  return typeof text === 'string' ? (text.match(/[^.!?\n]+[.!?]*/g) ?? []).slice(0, 5) : [];
}

function isWarning(text: string): boolean {
  return /^\W*(warning|deprecated|note|important|beta)\b/i.test(text) || /\bbeta\b/i.test(text);
}

/** Text without Markdown and tags, on one line, without its full stop. */
function phrase(text: unknown): string | undefined {
  const line = cleanText(text)
    ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
  return line === '' ? undefined : line;
}
