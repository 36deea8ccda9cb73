import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';

/** Things that are called like what takes something away. */
export const madeThings = new Set('archive block close empty end leave reset stop'.split(' '));

/** The same in front of other things: drop shipments, void checks. */
const alsoThings = new Set('clear drop freeze kick reject seal trash void'.split(' '));

/** Acts of methods that leave nothing of what was there, which are other things elsewhere: texts are cleaned. */
const endedByMethod =
  /^(?:clean|recreate)\b|^(?:refresh|renew) (?:[a-z]+ )*(?:keys?|secrets?|tokens?)$/;

/**
 * Whether the last part of a path begins with a verb that takes something away and goes on with what it is done to:
 * `/apps/{id}/uninstall-hooks`, or a method behind its thing, `/app.clearBuilds`. There it may be called like a thing.
 */
export function endsThing(
  { path }: Pick<ApiOperation, 'path'>,
  takesAway: (verb: string) => boolean,
): boolean {
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  const [, method] = /[.:]([A-Za-z][\w-]*)$/.exec(last) ?? [];
  const words = smallWords(method ?? last);
  const [verb = ''] = words;
  if (method !== undefined) return takesAway(verb) || endedByMethod.test(words.join(' '));
  if (words.length < 2 || last.startsWith('{')) return false;
  return !madeThings.has(verb) && !alsoThings.has(verb) && takesAway(verb);
}
