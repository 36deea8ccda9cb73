import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { toldFirst } from '../nature/told-summary.ts';
import { thingOf } from './rights.ts';
import { sentMembers } from './sent-members.ts';

/** What calls an address whenever something happens. */
const hook =
  /^(?:[a-z]+ ){0,2}(?:callback|hook|hub|listener|notification endpoint|subscription|subscribe|web ?hook|web ?hook consumer)$/;
const address =
  /^(?:sink|(?:[a-z]+ )?(?:callback|endpoint|ur[il]|web ?hook)(?: (?:address|reference|ur[il]))?)$/;

/** What is done with one that is there, or where somebody else calls. */
const otherwise = /^(?:delete|get|handle|list|process|query|receive|test|trigger|try)\b/;

/** Whether a name or a text says that it is made: others may be where somebody else calls. */
function isMade({ id = '', node }: ApiOperation): boolean {
  return [id, toldFirst(node)].some((text) =>
    /^(?:add|create|new|register|subscribe)s?$/.test(smallWords(text)[0] ?? ''),
  );
}

/** Why a person should say that agents may have what happens here sent to an address, from then on and by itself. */
export function hookReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const last = operation.path.split(/[/.]/).findLast((part) => part !== '') ?? '';
  if (last.startsWith('{')) return undefined;
  const noun = thingOf(last);
  const isHook =
    hook.test(noun) &&
    !otherwise.test(noun) &&
    ((/web ?hook/i.test(`${noun} ${toldFirst(operation.node)}`) && isMade(operation)) ||
      sentMembers(document, operation).some(([name]) => address.test(smallWords(name).join(' '))));
  return isHook
    ? 'it sends what happens to an address from then on: switch it on if agents may do that'
    : undefined;
}
