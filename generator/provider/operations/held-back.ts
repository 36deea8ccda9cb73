import { type ApiOperation, pathParts } from '../../model/schema/api-operations.ts';
import { smallWords, wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { bodySchema } from '../examples/body-schema.ts';
import { mergedSchema } from '../examples/merged-schema.ts';
import { isType, membersOf } from '../guess/pages/answer-list.ts';
import { isToMany } from './aside/audience.ts';
import { isBilled } from './aside/billed.ts';
import { isPosted } from './aside/postal.ts';
import {
  bindsOffer,
  checksOut,
  isAroundMoney,
  onlyReckons,
  saysToSpend,
} from './aside/spending.ts';
import { turningOff } from './nature/verbs.ts';
import { bodyMembers } from './operation-details.ts';
import { nounOf } from './operation-role.ts';

/** Whoever calls these spends something: a person switches them on. */
const spending = new Set(
  `bet bid buy charge checkout deposit disbursement donate donation order pay payment payout purchase refund remittance repayment
  sell spend stake topup trade transaction transfer withdraw withdrawal`.split(/\s+/),
);

/** What is done with the money of an account; as a thing, a credit may be a note, a card or a limit. */
const booking =
  /^(?:credit|debit|disburse|fund|top ?up) (?:[a-z]+ ){0,2}(?:account|balance|beneficiary|customer|user|wallet)$/;
const booked = /^(?:[a-z]+ )?(?:account|balance|wallet)$/;
const moving =
  /^(?:(?:move|send) (?:cash|fund|money)|cash ?out|disburse|payout|disbursal|top ?up|topup)$/;

/** What leaves a wallet, or costs more of it, as a path says it. */
const fromWallet = /\/wallets?\/(?:[^/]+\/)*(?:bump-?\w*fee|finalize|fund|send|sign|tx)$/i;

/** How texts say the same. */
const saidToBook =
  /^\W*(?:(?:credit|debit|disburse|fund)s? (?:(?:an?|the|your|to|from) )?(?:[a-z']+ ){0,2}(?:accounts?|balance|wallets?)\b|(?:send|move|withdraw)s? (?:cash|funds|money)\b|(?:add|grant)s? (?:(?:account|prepaid) )?credits? to\b|(?:create|propose)s? (?:an? )?multisig (?:proposal|transaction)\b|(?:forward|send|submit)s? (?:\w+ ){0,2}payment details\b|(?:run|start|trigger)s? (?:the )?billing\b|top[- ]?up (?:an?|the|your)\b|(?:[\w']+ ){1,5}(?:automatic|recurring) payments\b)/i;

/** What costs or is paid for at intervals, unless it is one to events. */
const subscribing = new Set(['subscription', 'subscribe']);
const ofEvents =
  /\b(?:callbacks?|call-?back|events?|hooks?|notif\w+|observ\w+|push|streams?|topics?|urls?|web-?hooks?|channels?|feeds?|list|news)\b/i;

/** Who gets these is counted by the hundred. */
const reaching = new Set('blast broadcast campaign mailing multicast newsletter'.split(' '));
/** The same of what is shown to them, where one of it is made; in a list it may be what people have to sell. */
const adSingular = /(?:^|[_-])(?:ad|advert(?:isement)?)$/i;
/** What is sent to somebody, and how many of it are sent at once. */
const messages = new Set('email invitation letter mail message notification push'.split(' '));
const inBulk = new Set('batch bulk mass'.split(' '));
/** The same of what is sent by the network of telephones, which costs besides. */
const telephone = new Set('fax mms sms'.split(' '));

/** Numbers of telephones that whoever takes one pays for by the month, with their kinds. */
const rented =
  /\/(?:incoming|rented)[-_]?phone[-_]?numbers(?:\.json)?(?:\/(?:local|mobile|toll[-_]?free)(?:\.json)?)?$/i;

/** Where people look after what they pay, and what opens a way there. */
const paid = new Set('billing customer payment subscription'.split(' '));

/** What is written about one of these: no money moves. */
const written =
  /^(?:attachment|comment|draft|estimate|file|label|link|metadata|note|quote|reminder|request|tag|template)$/;

/** Whoever asks for this gets money: one who asks for anything else only has somebody decide. */
function isPaidOut(words: readonly string[]): boolean {
  return /^(?:disbursement|payout|withdraw(?:al)?) request$/.test(words.slice(-2).join(' '));
}

/** What asks somebody for money, where it is sent to him. */
const askingToPay =
  /\/(?:[a-z]+[-_])?(?:bill|invoice|payment[-_]?(?:link|request)|statement)s?\/\{[^}]*\}\/(?:e?mail|issue|publish|remind(?:er)?|(?:re)?send(?:[-_][a-z]+)?|sms)$/i;

/** What is done with a key that others know somebody by. */
const signing =
  /(?:key|signer|wallet)s?\/\{[^}]*\}\/sign(?:atures?)?$|\/(?:crypto\/sign|sign[-_]?(?:data|digest|hash|message|payload|transaction))$/i;

/** What has its owner to thank that nobody gets at it, and how much may be spent by others from then on. */
const unlocking = /^unlock\b/;
const limiting =
  /\}\/budgets?(?:\/\{[^}]*\})?$|\/(?:budget|spend(?:ing)?)[-_](?:limit|rule)s?(?:\/\{[^}]*\})?$/i;

/** What other software runs afterwards, by the last part of a path or by its text. */
const installing =
  /^(?:deploy|install|redeploy|reinstall|roll ?out|upgrade)\b(?! (?:check|info|preview|status))/;
const ofPlan =
  /\b(?:account|customer|member|membership|order|plan|seat|subscription|tier|user)s?\b/;
const saidToInstall =
  /^\W*(?:re)?deploys? (?:an?|the|your)\b|^\W*(?:re)?(?:install|upgrade)s? (?:an? |the )?(?:[\w-]+ ){0,2}(?:agents?|apps?|clusters?|extensions?|firmware|modules?|packages?|plugins?|servers?|software|themes?)\b/i;

/** Acts on what others rely on, as the last part of a path calls them. */
const stopping = new Set(
  'failover force halt hangup kill poweroff reboot reset restart seal shutdown stop switchover terminate'.split(
    ' ',
  ),
);

/** With how much borrowed money a position is held, and what it is secured with. */
const onMargin = /\/positions?\/(?:[^/]+\/)*[\w-]*(?:isolate|leverage|margin)[\w-]*$/i;

/**
 * Why a person should say that agents may do something; nothing where nobody has to.
 *
 * @param isFree whether it moves no money, whatever it is called
 */
export function heldBack({ path, node, id = '' }: Held, isFree = false): string | undefined {
  const parts = fixedParts(path);
  const words = parts.flatMap((part) => nounOf(part).split(' '));
  const stop = stopReason({ path });
  if (stop !== undefined) return stop;
  if (askingToPay.test(path)) return asks;
  if (signing.test(path)) return signs;
  if (limiting.test(path)) return limits;
  if (unlocking.test(smallWords(parts.at(-1) ?? '').join(' '))) return unlocks;
  if (saysToSpend({ id, node })) return spends;
  if (words.length > 1 && written.test(words.at(-1) ?? '') && !isPaidOut(words)) return undefined;
  const isOf = (nouns: ReadonlySet<string>) => words.some((word) => nouns.has(word));
  const named = [path, id].map((name) => smallWords(name).join(' ')).join(' ');
  const told = `${named} ${String(node['summary'] ?? '')} ${String(node['description'] ?? '').slice(0, shownText)}`;
  if (isBooked(parts, path) || bindsOffer(path) || saidToBook.test(String(node['summary'] ?? '')))
    return spends;
  if ([rented, fromWallet, onMargin].some((kind) => kind.test(path))) return spends;
  const isAround =
    isFree ||
    checksOut({ path, node }) ||
    isAroundMoney({ path, node }, nounOf(parts.at(-1) ?? ''), spending);
  if ((isOf(spending) && !isAround) || (isOf(subscribing) && !isFree && !ofEvents.test(told)))
    return spends;
  if (words.includes('portal') && isOf(paid)) return spends;
  if (adSingular.test(parts.findLast((part) => !/^(?:create|execute|new)$/i.test(part)) ?? ''))
    return reaches;
  if ((isOf(reaching) && !onlyReckons(node)) || (inBulk.has(words.at(-1) ?? '') && isOf(messages)))
    return reaches;
  if (isOf(telephone)) return sends;
  return isInstalled({ path, node, id }) ? installs : undefined;
}

/** Whether one thing is installed or put to use by the end of its path, or any by a text that says what it is. */
function isInstalled({ path, node, id = '' }: Held): boolean {
  const [last = '', before = ''] = path
    .split('/')
    .filter((part) => part !== '')
    .toReversed();
  const [, method] = /[.:]([A-Za-z][\w-]*)$/.exec(last) ?? [];
  const isOfOne = method !== undefined || before.startsWith('{');
  const act = smallWords(method ?? last).join(' ');
  return (
    (isOfOne && installing.test(act) && !ofPlan.test(smallWords(path).join(' '))) ||
    [String(node['summary'] ?? ''), smallWords(id).join(' ')].some((said) =>
      saidToInstall.test(said),
    )
  );
}

/** Why a person should say that agents may stop something, as a path calls it: nothing where it does not. */
export function stopReason({ path }: Pick<Held, 'path'>): string | undefined {
  const words = wordsOf(fixedParts(path).at(-1) ?? '').map((word) => word.toLowerCase());
  // From its start to its end is a time.
  const isEnd = words.length === 1 && words[0] === 'end' && !/\/start\//i.test(path);
  const isStop = (word: string, at: number) =>
    stopping.has(word) &&
    !/^(?:at|bus|by|for|near|non|of|one)$/.test(words[at - 1] ?? '') &&
    // A stop order buys or sells.
    !/^orders?$/.test(words[at + 1] ?? '') &&
    !(word === 'force' && at < words.length - 1);
  if (words.at(-1) === 'reset') return resets;
  return isEnd || words.some(isStop) || turningOff.test(words.join(' ')) ? stops : undefined;
}

function fixedParts(path: string): readonly string[] {
  const parts = pathParts(path).map((part) => part.replace(/(?<=.)\.json$/i, ''));
  return parts.filter((part) => !part.startsWith('{'));
}

/** Whether a path ends in what is done with the money of an account: `/debit-account`, `/wallets/{id}/credit`. */
function isBooked(parts: readonly string[], path: string): boolean {
  const [before = '', last = ''] = ['', ...parts.map(nounOf)].slice(-2);
  // Several of them are a kind of account: `/fund-accounts`.
  const act = wordsOf(parts.at(-1) ?? '')
    .join(' ')
    .toLowerCase();
  if (booking.test(act) || moving.test(last)) return true;
  // What is done with one thing by such a word takes money from it, whatever it is called.
  if (/\}\/(?:credit|debit|fund)\/?$/.test(path)) return true;
  return /^(?:credit|debit|fund)$/.test(last) && !path.endsWith('}') && booked.test(before);
}

type Held = Pick<ApiOperation, 'path' | 'node' | 'id'>;

/** Members that say which telephone is meant. */
const ofTelephone = /phone|msisdn|^(?:from|to)_?number$/i;

/** How texts say that somebody is called: "Trigger an immediate outbound call". */
const saidToCall =
  /\b(?:creat|initiat|mak|plac|schedul|send|start|trigger)(?:e|es|s)? (?:[a-z-]+ ){0,3}(?:outbound|outgoing|phone|telephone|voice) (?:phone )?calls?\b/i;

/** Members that say who gets a message, and how texts say that it goes to a telephone. */
const receiver = /^(?:to|phone|recipients?|receiver)(?:_?number)?$/i;
const sender = /^from(?:_?number)?$/i;
const toTelephone = /\bphone[- ]?numbers?\b|\bE\.?164\b|\bSMS\b/i;

/** Why a person should say that agents may send something that costs: to a telephone, or on paper. */
export function sentReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  if (isPosted(document, operation)) return sends;
  if (isToMany(document, operation)) return reaches;
  const parts = fixedParts(operation.path);
  const last = nounOf(parts.findLast((part) => !making.test(part)) ?? '');
  const members = membersOf(document, bodySchema(document, operation));
  const isTelephone = (names: RegExp) =>
    members.some(
      ([name, { description }]) =>
        names.test(name) && toTelephone.test(String(description ?? '').slice(0, shownText)),
    );
  // From one telephone to another, or sent to one: whatever it is called, somebody is reached.
  const isMessage =
    messages.has(last) ||
    /\bverification$/.test(last) ||
    parts.includes('send') ||
    isTelephone(sender);
  return isMessage && isTelephone(receiver) ? sends : undefined;
}

const making = /^(?:create|new|send)$/;

/** Why a person should say that agents may call somebody by telephone: `POST /calls` that takes a number. */
export function callReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const { summary, description } = operation.node;
  if (saidToCall.test(`${summary ?? ''} ${String(description ?? '').slice(0, shownText)}`)) {
    return calls;
  }
  const last = nounOf(fixedParts(operation.path).findLast((part) => !makes.test(part)) ?? '');
  if (!/^(?:outbound |phone |telephone )?call$/.test(last)) return undefined;
  const told = `${last} ${String(operation.node['summary'] ?? '')}`;
  const isTold = /\b(?:out(?:bound|going)|tele)?\s?phone\b/i.test(told);
  return isTold || bodyMembers(document, operation).some((name) => ofTelephone.test(name))
    ? calls
    : undefined;
}

const makes = /^(?:create|initiate|new|start)$/;

/** Members with which something is paid at once: "book a room" says nothing of money. */
const payments = /^payments?(?:_?(?:card|data|details|info|information|instruments?))?$/i;
/** Members of each of several payments with which something is paid: others only point to what has been paid. */
const paying = /^(?:amount|card\w*|currency|iban|method|number|source|token|type)$/i;

/** Why a person should say that agents may send something that is paid with what its body holds. */
export function paidReason(document: ApiDocument, operation: ApiOperation): string | undefined {
  const last = nounOf(fixedParts(operation.path).at(-1) ?? '');
  const isPaid = sentAtOnce(document, operation).some(
    ([name, schema]) =>
      payments.test(name) &&
      (!isType(schema, 'array') ||
        membersOf(document, mergedSchema(document, schema['items'])).some(([own]) =>
          paying.test(own),
        )),
  );
  if (isPaid && !/\b(?:bill|invoice|receipt)$/.test(last)) return spends;
  return isBilled(document, operation) ? spends : undefined;
}

/** What a body holds, or each thing of one that is nothing but several of them: `{ parcels: [] }`. */
function sentAtOnce(document: ApiDocument, operation: ApiOperation) {
  const members = membersOf(document, bodySchema(document, operation));
  const [only, ...others] = members;
  if (only === undefined || others.length > 0 || !isType(only[1], 'array')) return members;
  return [...members, ...membersOf(document, mergedSchema(document, only[1]['items']))];
}

/** So many characters of a description tell what is subscribed to. */
const shownText = 300;

const stops = 'it stops what others may rely on';
const resets = 'it resets what others may rely on';
const spends = 'it may spend money';
const reaches = 'it may reach many people at once';
const calls = 'it calls somebody by telephone, which costs: switch it on if agents may do that';
const asks = 'it asks somebody to pay';
const signs = 'it signs in the name of somebody';
const limits = 'it says how much may be spent';
const unlocks = 'it unlocks what is locked';
const installs = 'it changes which software runs';
const sends = 'it sends a message that costs and reaches somebody';
