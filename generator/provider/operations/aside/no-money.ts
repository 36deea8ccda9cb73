import { type ApiOperation, parametersOf } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { nounOf } from '../operation-role.ts';
import { isMoneyRecord } from './money-records.ts';
import { sentMembers } from './sent-members.ts';

/** What is done with money, and as well with a repository, a leadership or an application. */
const moved = /\b(?:transfers?|withdraw(?:al)?)\b/;

/** What costs at intervals, and as well is told of what happens. */
const subscribed = /^(?:[a-z]+ )?subscri(?:be|ption)$/;

const ofMoney =
  /\b(?:accounts?|amounts?|assets?|balances?|banks?|billing|book|cash|charges?|coins?|coupons?|credits?|currenc(?:y|ies)|customers?|debits?|fees?|funds?|iban|instruments?|invoices?|money|pay(?:ments?|outs?)?|plans?|prices?|products?|purchases?|quantit(?:y|ies)|tiers?|tokens?|trials?|values?|wallets?)\b/;

/** What says how somebody is told. */
const ofEvents =
  /\b(?:blocks?|callbacks?|channels?|devices?|emails?|endpoints?|events?|feeds?|hooks?|listeners?|mails?|notif\w*|phones?|streams?|topics?|ur[il]s?|web ?hooks?)\b/;

/** Whether an operation moves no money, whatever it is called: what is sent, and what is said, tells of none. */
export function movesNoMoney(document: ApiDocument, operation: ApiOperation): boolean {
  if (isMoneyRecord(document, operation)) return true;
  const { path, node } = operation;
  const nouns = path.split('/').flatMap((part) => (part.startsWith('{') ? [] : [nounOf(part)]));
  const named = smallWords(path).join(' ');
  const taken = [
    ...sentMembers(document, operation).map(([name]) => name),
    ...parametersOf(document, operation).flatMap(({ in: place, name }) =>
      place === 'query' ? [name] : [],
    ),
  ].map((name) => smallWords(name).join(' '));
  const isOfMoney = taken.some((name) => ofMoney.test(name));
  if (nouns.some((noun) => subscribed.test(noun)))
    return !isOfMoney && [named, ...taken].some((name) => ofEvents.test(name));
  const told = `${node['summary'] ?? ''} ${node['description'] ?? ''}`.slice(0, shownText);
  const isTold = ofMoney.test(`${named} ${told.toLowerCase()}`);
  return nouns.some((noun) => moved.test(noun)) && !isOfMoney && !isTold;
}

/** So many characters of a text tell what is moved. */
const shownText = 300;
