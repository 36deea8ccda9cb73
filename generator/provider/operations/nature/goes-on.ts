import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { imperativeOf } from './said-to-act.ts';
import { goingOn } from './verbs.ts';

/**
 * Whether a second call does more than the first one, by what names and the text have for a verb: `PUT
 * /counters/{id}/increment`, `DELETE /queue/next`, "Append a line". Methods promise that none does (RFC
 * 9110, section 9.2.2), vendors do not always keep it.
 */
export function goesOn({ id = '', path }: ApiOperation, summary: string): boolean {
  const last = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
  const ends = [id, last].map(lowerWords).flatMap((words) => [words.at(0), words.at(-1)]);
  const told = imperativeOf(summary) ?? '';
  if (/^next$/i.test(last)) return true;
  return [...ends, told, told.replace(/s$/, '')].some((word) => goingOn.has(word ?? ''));
}

function lowerWords(text: string): string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}
