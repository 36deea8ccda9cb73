import { type ApiOperation, pathParts } from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import { begun, emptying, turningOff } from './verbs.ts';

/** Words of a summary that may still be its verb. */
const leadingWords = 3;

/** How texts tell of what does many things of several kinds with one call: "multiple index/update/delete operations". */
const severalActs =
  /\b(?:batch|bulk|many|multiple|several)\b[^.\n]{0,60}\b(?:delete|remove)[`'"]?(?:,? (?:and|or) [`'"]?\w+[`'"]?)? (?:actions|commands|operations|requests)\b/i;

/** Whether a text says that what is done with one call may delete. */
export function deletesAmong(text: string): boolean {
  return severalActs.test(text);
}

/** Whether a name or how the summary begins says that something is off afterwards. */
export function turnsOff(operation: ApiOperation, summary: string): boolean {
  const named = [operation.id ?? '', fixedParts(operation).at(-1) ?? ''];
  const told = lowerWords(summary).slice(0, leadingWords).join(' ');
  return [...named.map((name) => lowerWords(name).join(' ')), told].some((words) =>
    turningOff.test(words),
  );
}

/** Whether nothing of what a thing holds is left: `/volumes/{id}/format`, `/initialize-disk`. */
export function emptiesThing(operation: ApiOperation): boolean {
  const [last = '', before = ''] = pathParts(operation.path).toReversed();
  const [verb = '', ...things] = lowerWords(last);
  if (!emptying.test(verb)) return false;
  if (things.length === 0) return before.startsWith('{') && !/^initiali/.test(verb);
  return /^initiali/.test(verb) && !begun.test(things.join(' '));
}

function lowerWords(text: string): string[] {
  return wordsOf(text).map((word) => word.toLowerCase());
}

function fixedParts({ path }: ApiOperation): string[] {
  return pathParts(path).filter((part) => !part.startsWith('{'));
}
