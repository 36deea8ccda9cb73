import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';
import { sentMembers } from './sent-members.ts';

/** What is printed and brought to somebody, whatever its body holds. */
const posted = /^(?:postcard|self ?mailer|mail ?piece|greeting card)$/;

/** The same where an address goes with it: others are texts, or what people pay with. */
const perhapsPosted = /^(?:[a-z]+ )?(?:flower|gift|letter|mailing)$/;
const address =
  /^(?:address_?(?:line_?)?\d?|(?:postal|zip)_?code|post_?code|recipient_?address|street\w*|to_?address|zip)$/i;

/** How texts say so. */
const saidToPost =
  /^\W*(?:mail|send)s? (?:an? |out |some |the |your )?(?:\w+ )?(?:cards?|flowers|gifts?|letters?|postcards?)\b(?! (?:details|data|number))|\b(?:physical|postal|snail)[- ]mail\b/i;
const otherCards =
  /\b(?:adaptive|business|chat|contact|credit|debit|gift|hero|message|payment|rich|virtual) cards?\b|\bcover letters?\b/i;

const making = /^(?:bulk|create|new|order|send)$/;

/** Whether something is printed and sent to somebody, which costs. */
export function isPosted(document: ApiDocument, operation: ApiOperation): boolean {
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const last = nounOf(parts.findLast((part) => !making.test(part)) ?? '');
  const told = toldFirst(operation.node).slice(0, shownText);
  if (posted.test(last)) return true;
  if (saidToPost.test(told) && !otherCards.test(told)) return true;
  return perhapsPosted.test(last) && takesAddress(document, operation);
}

function takesAddress(document: ApiDocument, operation: ApiOperation): boolean {
  return sentMembers(document, operation).some(([name]) => address.test(name));
}
