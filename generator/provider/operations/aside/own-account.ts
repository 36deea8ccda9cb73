import { isObject } from '#contract/json';
import {
  type ApiOperation,
  apiOperations,
  parametersOf,
} from '../../../model/schema/api-operations.ts';
import { wordsOf } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { shownText } from '../nature/told-summary.ts';
import { bodyMembers } from '../operation-details.ts';
import { addsOwnLogin } from './own-login.ts';

/** Parts of paths below which people look after their own account. */
const people = /^(?:accounts?|auth\w*|me|members?|personal|profile|users?(?:svc|service)?)$/;
const prefix = /^(?:api|rest|public|v\d+(?:\.\d+)*)$/;

/** How people join. */
const joining =
  /^(?:deanonymi[sz]e|sign(?:ing)?up|(?:sign(?:ing)?in)?anonymous(?:ly)?|(?:user)?(?:register|registration)|registeruser)$/;

/** What people look after there, and how they say that an address is theirs. */
const confirming = /^(?:activat(?:e|ion)|confirm(?:ation)?|resend|verif(?:y|ication))$/;
const confirmed =
  /^(?:account|activation|code|confirmation|e?mail|link|mobile|otp|phone|registration|sms)$/;
const message = /^(?:code|e?mail|link|otp|phone|sms)$/;
/** The same where all of a path is one part: `users.2fa.enable`. */
const dottedFactor = /^(?:users?|me|account)?\.?(?:2fa|mfa|totp|twofactor\w*)\./;
const secondFactor = /^(?:2fa|mfa|totp|two_?(?:factor|step))$/;

/** Acts on what somebody alone knows, wherever they stand. */
const ownSecret =
  /^(?:start)?(?:change|forgot|recover|reset|restore|set|update)(?:my|user)?(?:passcode|password|pin)$/;

/** The same in two parts of a path: `/password/forgot`. */
const ownSecretLast =
  /^(?:passcode|password|pin)\/(?:change|forgot|recover|recovery|reset|restore)$/;

/** What is sent to somebody who joins or has lost the way in, and what comes back, in one word: `sendPhone`. */
const ownCode =
  /^(?:re)?send(?:phone|(?:phone|sms|e?mail|mobile)?(?:confirmation|verification)?(?:code|otp))$|^(?:check|confirm|validate|verify)(?:phone|sms|mobile)?(?:code|otp|phone)$/;
const ownCodeAnywhere =
  /^(?:check|confirm|send|validate|verify)(?:phone|sms|e?mail)?(?:code|otp|phone)(?:recover\w*|regist\w*|reset|restore|signup)$|^(?:re)?sendphone$|^requesttoken$/;

/** How texts say that somebody wants a new one. */
const saidToReset =
  /^\W*(?:\p{L}+ ){0,2}(?:(?:confirm|complete|initiate|perform|request|send|start)s? (?:an? |the |your )?(?:forgot(?:ten)? )?password[- ](?:recovery|reset)|forgot(?:ten)? (?:my |your )?password)\b/iu;

/** How they say that somebody joins who is not known yet. */
const saidToJoin =
  /\bwithout (?:the need to be|being|having to be) (?:logged|signed) in\b|\bself[- ]?regist\w+|\bsign(?:s|ing)?[- ]?up\b|\bregister(?:s|ing)? (?:her|him|one|them|your)[- ]?sel(?:f|ves)\b/i;
const joined = /^(?:accounts?|customers?|members?|users?)$/;

/** Members that prove who calls, and those that say who it is. */
const password = /^(?:(?:re|user)?_?passw(?:or)?d[12]?)$/i;
const changed = /^(?:confirm|current|new|old)_?passw(?:or)?d$/i;
const known = /^(?:otp|otp_?code|passcode|passw(?:or)?d|pin|totp_?code)$/i;
const code = /^(?:verification_?)?code$/i;
const contact = /^(?:e?mail|mobile|msisdn|phone|(?:mobile|phone)_?number)$/i;
const person = /^(?:number|user_?(?:id|name)|login)$/i;

/** A path in words: its fixed parts, those in small letters without anything between, and its parameters. */
export interface PathParts {
  readonly named: readonly string[];
  readonly parts: readonly string[];
  readonly pathParameters: number;
}

/**
 * Whether people join with an operation, or look after the way in which they log in: they confirm an
 * address, set a password, show a code. All that is done to a thing with an id is done by somebody else.
 */
export function isOfOwnAccount(
  document: ApiDocument,
  operation: ApiOperation,
  { named, parts, pathParameters }: PathParts,
): boolean {
  if (addsOwnLogin(operation, pathParameters)) return true;
  const members = bodyMembers(document, operation);
  const [before = '', last = ''] = ['', ...parts.filter((part) => !prefix.test(part))].slice(-2);
  const isJoining = joining.test(last) && isJoined(before, last, members);
  if (pathParameters > 0) return isJoining && people.test(before);
  const words = named.map((part) => wordsOf(part).map((word) => word.toLowerCase()));
  return (
    isJoining ||
    ownSecret.test(last) ||
    ownSecretLast.test(`${before}/${last}`) ||
    ownCodeAnywhere.test(last) ||
    (ownCode.test(last) && people.test(before)) ||
    parts.some((part) => dottedFactor.test(part)) ||
    saidToReset.test(String(operation.node['summary'] ?? '')) ||
    (joined.test(last) && (saysJoining(operation) || isOpen(document, operation))) ||
    isConfirming(words, parts) ||
    parts.some((part, at) => secondFactor.test(part) && isOwn(parts[at - 1])) ||
    members.filter((name) => changed.test(name)).length > 1 ||
    (changed.test(members[0] ?? '') && people.test(before)) ||
    isShown(words.flat(), members) ||
    isSentCode(document, operation) ||
    (members.some((name) => password.test(name)) && isOpen(document, operation))
  );
}

function saysJoining({ node }: ApiOperation): boolean {
  const texts = `${node['summary'] ?? ''} ${node['description'] ?? ''}`;
  return saidToJoin.test(texts.slice(0, shownText));
}

/** Whether people follow a link out of a message that shows who they are. */
export function isConfirmedByLink(
  document: ApiDocument,
  operation: ApiOperation,
  { named, parts }: PathParts,
): boolean {
  const words = named.map((part) => wordsOf(part).map((word) => word.toLowerCase()));
  const asked = parametersOf(document, operation)
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name.toLowerCase());
  return (
    isConfirming(words, parts) &&
    asked.some((name) => /^(?:code|token)$/.test(name)) &&
    !asked.includes('email')
  );
}

function isOwn(part: string | undefined): boolean {
  return part !== undefined && (people.test(part) || part === 'manage');
}

/** Something else than people is registered, too: devices, and those who come to an event. */
function isJoined(before: string, last: string, members: readonly string[]): boolean {
  if (people.test(before) || members.some((name) => password.test(name))) return true;
  const isTold = members.some((name) => contact.test(name) || person.test(name));
  return before === '' && (last.startsWith('sign') || isTold);
}

/** Whether the words behind somebody's account say that an address is confirmed, or a message sent again. */
function isConfirming(words: readonly (readonly string[])[], parts: readonly string[]): boolean {
  const all = words.flat();
  const isSent = all.some((word) => /^(?:re)?send$/.test(word));
  const isMessage = all.some((word) => /^(?:activation|confirmation|verification)$/.test(word));
  if (isSent && isMessage && all.some((word) => message.test(word))) return true;
  const own = parts.findIndex((part) => people.test(part));
  const behind = own < 0 ? [] : words.slice(own + 1).flat();
  const isConfirmed = behind.some((word) => confirmed.test(word));
  return isConfirmed && behind.some((word) => confirming.test(word));
}

/** Whether all that is sent is what somebody knows or got in a message, to be checked. */
function isShown(words: readonly string[], members: readonly string[]): boolean {
  const isChecked = words.some((word) =>
    /^(?:check|confirm|set|validate|verify|verification)$/.test(word),
  );
  if (!isChecked || members.length === 0) return false;
  const all = [known, code, contact, person];
  if (!members.every((name) => all.some((pattern) => pattern.test(name)))) return false;
  const isReached = [...members, ...words].some((name) => contact.test(name));
  return (
    members.some((name) => known.test(name)) ||
    (members.some((name) => code.test(name)) && isReached)
  );
}

/** Whether a code is sent to a telephone or an address here that comes back right below, or comes back here. */
function isSentCode(document: ApiDocument, { path }: ApiOperation): boolean {
  const above = path.replace(/\/(?:confirm|verify)\/?$/, '');
  const taken = (own: string, names: RegExp) =>
    apiOperations(document).all.some(
      (other) =>
        other.method === 'POST' &&
        other.path === own &&
        bodyMembers(document, other).some((name) => names.test(name)),
    );
  return (
    taken(above, contact) &&
    [`${above}/confirm`, `${above}/verify`].some((own) => taken(own, code) || taken(own, known))
  );
}

/** Whether most operations of a document take a credential. */
const guarded = new WeakMap<ApiDocument, boolean>();

/** Whether an operation takes no credential where most others take one. */
function isOpen(document: ApiDocument, operation: ApiOperation): boolean {
  if (isGuarded(document, operation)) return false;
  const known = guarded.get(document) ?? isMostGuarded(document);
  guarded.set(document, known);
  return known;
}

function isMostGuarded(document: ApiDocument): boolean {
  const { all } = apiOperations(document);
  return 2 * all.filter((each) => isGuarded(document, each)).length > all.length;
}

function isGuarded({ root }: ApiDocument, { node }: ApiOperation): boolean {
  const demanded = node['security'] ?? root.security;
  if (!Array.isArray(demanded) || demanded.length === 0) return false;
  return demanded.every((each) => isObject(each) && Object.keys(each).length > 0);
}
