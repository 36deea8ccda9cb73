import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { shownText } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';
import { sentMembers } from './sent-members.ts';

/** What is sent to somebody. */
const message = /^(?:[a-z]+ )?(?:e?mail|message|notification|push)$/;
const sending = /^(?:create|new|schedule|scheduled|send|trigger)$/;

/** Members that name as many people as belong to them. */
const audience =
  /^(?:audiences?(?: ids?)?|broadcast|included segments?|(?:list|segment) ids?|segments?|to all)$/;

/** How texts say that it goes to more than one. */
const saidToSend =
  /\bsend(?:s|ing)? (?:[\w-]+ ){0,3}(?:e?mails?|messages?|notifications?|push(?:es)?) to (?:[\w-]+ )?(?:audiences?|customers|everybody|everyone|members|people|recipients|segments?|subscribers|users)\b/i;

/** Whether a message may go to all who belong to something: `POST /notifications` that takes segments. */
export function isToMany(document: ApiDocument, operation: ApiOperation): boolean {
  const { summary, description } = operation.node;
  const told = `${summary ?? ''} ${String(description ?? '').slice(0, shownText)}`;
  if (saidToSend.test(told)) return true;
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const noun = nounOf(parts.findLast((part) => !sending.test(part.toLowerCase())) ?? '');
  return (
    message.test(noun) &&
    sentMembers(document, operation).some(([name]) => audience.test(smallWords(name).join(' ')))
  );
}
