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

/** How a text begins of a label with which a carrier takes a parcel. */
const postage =
  /^\W*(?:create|generate|make|print)s? (?:an? |the )?(?:(?!for\b|of\b)[\w-]+ ){0,2}(?:mail|postage|returns?|shipment|shipping) labels?\b/i;

/** What is handed to a carrier, in the last parts of a path. */
const handedOver = /^(?:[a-z]+ )?(?:consignment|label|parcel|shipment)$/;
const prepaid = /^(?:indicia|postage|(?:air)?waybill)$/;

/** How texts say that this has its label from then on: shops note with the same word what they have sent. */
const labelled =
  /\b(?:air ?)?waybills?\b|\bAWB\b|\bindicia\b|\b(?:carrier|mail|postage|returns?|shipment|shipping) labels?\b|\b(?:generat|produc)(?:es?|ing) (?:the |an? )?labels?\b/i;

/** What only looks at a label, or at what one would be printed for. */
const looking = /\b(?:check|preview|quote|rate|re-?print|template|track|validate|verify)/i;

/** A carrier that comes, and room that it keeps. */
const fetched = /^\W*(?:book|create|order|request|schedule)s? (?:[\w-]+ ){0,4}pick-?ups?\b/i;
const carrier = /\b(?:cargo|carriers?|consignees?|freight|shippers?|vessels?)\b/i;

/** So many characters of a description tell what comes of it. */
const shownCarriage = 600;

/** Whether a carrier is paid for what is made here: a label, a shipment with one, a courier that comes, a booking of freight. */
export function isCarried({ method, node, path }: ApiOperation): boolean {
  const told = toldFirst(node);
  if (postage.test(told)) return true;
  const nouns = path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .slice(-2)
    .map(nounOf);
  const last = nouns.at(-1) ?? '';
  if (method !== 'POST' || path.endsWith('}') || looking.test(`${last} ${told}`)) return false;
  const texts = `${told}\n${String(node['description'] ?? '').slice(0, shownCarriage)}`;
  if (last === 'pickup') return fetched.test(told);
  if (last === 'booking') return carrier.test(texts);
  if (nouns.some((noun) => prepaid.test(noun))) return true;
  return nouns.some((noun) => handedOver.test(noun)) && labelled.test(texts);
}
