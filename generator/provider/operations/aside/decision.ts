import { type ApiOperation, apiOperations } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { membersOf } from '../../guess/pages/answer-list.ts';
import { toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';

/** What somebody does with what waits for them, as names and texts call it. */
const deciding =
  /^(?:approve|countersign|decide|decline|deny|disapprove|preapprove|reject|unapprove)$/;

/** What is made of what waits: it holds what was decided. */
const decided = /^(?:[a-z]+ )?(?:approval|decision|verdict)$/;
const reviewed = /^(?:[a-z]+ )?review$/;

/** What is reviewed so that it may go on: what people think of goods is another kind of review. */
const waiting =
  /\b(?:changes?|change ?requests?|deployments?|diffs?|merge ?requests?|mrs?|prs?|pulls?|pull ?requests?|releases?|timesheets?)\b/;

/** Whoever asks for it decides nothing. */
const asks = /\b(?:ask|dismiss|recall|request|undo)\b/i;

/** Members of a body that hold what was decided, and what they may hold. */
const holding =
  /^(?:action|decision|event|outcome|resolution|response|result|state|status|verdict|vote)$/i;
const yes = /^(?:accept(?:ed)?|approved?|grant(?:ed)?|pass(?:ed)?)$/i;
const no =
  /^(?:block(?:ed)?|changes?_requested|declined?|den(?:y|ied)|fail(?:ed)?|refused?|reject(?:ed)?|request_changes)$/i;
const alone = /^(?:is_?)?(?:approved?)$/i;

const decides = 'it decides what waits for a person: switch it on if agents may do that';

/** Why a person should say that agents may decide something: approve a deployment, review a pull request. */
export function decisionReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const { id = '', node, path } = operation;
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.findLast((part) => !part.startsWith('{')) ?? '';
  const [ofPath = ''] = smallWords(last);
  const [ofName = ''] = smallWords(id);
  const told = toldFirst(node);
  if (asks.test(last.replaceAll('_', ' ')) || /^\W*requests?\b/i.test(told)) return undefined;
  if (
    [ofPath, ofName, (smallWords(told)[0] ?? '').replace(/ies$/, 'y').replace(/s$/, '')].some(
      (word) => deciding.test(word),
    )
  )
    return decides;
  if (ofPath === 'accept' && isRefusedBeside(document, path)) return decides;
  const isOfThing = path.includes('{');
  const noun = nounOf(last);
  if (isOfThing && decided.test(noun)) return decides;
  const before = parts.slice(0, -1).filter((part) => !part.startsWith('{'));
  if (
    reviewed.test(noun) &&
    waiting.test(before.map((part) => smallWords(part).join(' ')).join(' '))
  )
    return decides;
  const isAnswer =
    reviewed.test(noun) || /^(?:action|decide|resolve|respond|response|vote)$/.test(noun);
  const isOfOne = isOfThing && (isAnswer || path.endsWith('}'));
  return isOfOne && takesDecision(document, operation) ? decides : undefined;
}

/** Whether what is accepted may be refused at the same place: then somebody waits for the one or the other. */
function isRefusedBeside(document: ApiDocument, path: string): boolean {
  const place = path.slice(0, path.lastIndexOf('accept'));
  return apiOperations(document).all.some(
    (other) => other.path.startsWith(place) && refused.test(other.path.slice(place.length)),
  );
}

const refused = /^(?:decline|deny|refuse|reject)\/?$/;

/** Whether what is sent says yes or no to something. */
function takesDecision(document: ApiDocument, operation: ApiOperation): boolean {
  return membersOf(document, bodySchema(document, operation)).some(([name, schema]) => {
    if (alone.test(name)) return true;
    const { enum: choices } = mergedSchema(document, schema);
    if (!holding.test(name) || !Array.isArray(choices)) return false;
    const values = choices.map(String);
    return values.some((value) => yes.test(value)) && values.some((value) => no.test(value));
  });
}
