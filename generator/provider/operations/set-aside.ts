import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerTypes } from '../guess/answer-form.ts';
import { answerList } from '../guess/pages/answer-list.ts';
import { decisionReason } from './aside/decision.ts';
import {
  demandedProof,
  demandedSecret,
  offeredSecret,
  storedSecret,
} from './aside/demanded-secret.ts';
import {
  givenCredential,
  makesClient,
  saysCredential,
  saysToReturn,
  showsCredentials,
} from './aside/given-credential.ts';
import { letInReason } from './aside/let-in.ts';
import { isConfirmedByLink, isOfOwnAccount, type PathParts } from './aside/own-account.ts';
import { showsErrorPage, showsOwnLogin } from './aside/own-session.ts';
import { rightsReason } from './aside/rights.ts';
import { workReason } from './aside/set-to-work.ts';
import { showsSecret } from './aside/shown-secret.ts';
import { hookReason } from './aside/told-elsewhere.ts';
import { callReason, paidReason, sentReason } from './held-back.ts';
import { shownText, toldFirst } from './nature/told-summary.ts';
import { bodyMembers } from './operation-details.ts';
import type { OperationNature } from './operation-nature.ts';
import { addsByPut } from './operation-role.ts';

/** Paths that end so ask whether a service is up. */
const health = /^(?:health(?:z|check|status)?|livez|liveness|readyz|readiness|ping)$/;

/** A summary that says no more than that a document describes its own API. */
const ofItself =
  /^(?:get |read |retrieve |returns? )?(?:the |this )?(?:open ?api|swagger) (?:definition|description|document|json|schema|spec(?:ification)?|ya?ml)\b/i;

/** How a text says that there is nothing to call. */
const unmade =
  /(?:^|[.\n]\s*)(?:this (?:call|endpoint|method|operation) is )?(?:currently )?not (?:yet )?implemented(?: yet)?\s*(?:[.!]|$)/i;

/** Where the files of a page lie that people look at, by any path below it. */
const pageFile = /\/(?:assets|dashboard|static|ui)\/\{(?:[a-z]+_?)?path\}$/i;

/** The same of paths that end so where their texts say it: streams and goods are live and ready, too. */
const alive = /^(?:alive|isalive|live|ok|ready|isready|startup|up)$/;
const toldAlive =
  /(?:live|readi)ness|\bprobes?\b|\balive\b|\bhealth(?:\b|check|controller|status)|\b(?:api|server|service) is (?:running|up|working)\b/i;

/** Paths that end so are where people log in and out, whatever they take. */
const login =
  /^(?:(?:sso)?log(?:in|on|out|off)|device(?:auth(?:orization|orize)?|code)|impersonate|sign(?:in|out|off)|(?:confirm)?(?:change|find|forg[eo]t(?:ten)?|lost|recover|reset|restore)password|(?:(?:re)?send|verify)otp|re(?:fresh|new)(?:access)?token)$/;

/** The same at the end of a name, where the summary speaks of it: a setting may be of a login, too. */
const namedLogin = /(?:log(?:in|on)|signin)$/;

/** Where credentials are made: what takes one there gives another one. */
const ofCredentials =
  /^(?:auth\w*|jwt|log(?:in|on)|oauth\d?|sessions?|sign(?:in|up)|(?:access|bearer|refresh|session)?tokens?)$/;

/** The same as a word of several: `end_user_authentications`, `password-login`. */
const credentialWord = /^(?:auth(?:n|enticat\w*)?|jwt|log(?:in|on)|oauth\d?|tokens?)$/;

/** What is made here is a credential of the API itself: a token that people pay with is not. */
const givesCredential =
  /^(?:(?:generate|create|issue|new)?(?:(?:personal)?access|admin|api|auth|bot|client|deploy|link|management|publishable|(?:user)?registration|root|secret|service|user)(?:keys?|secrets?|tokens?)|(?:generate|create|issue|mint|re(?:create|generate|issue)|roll|rotate)(?:keys?|secrets?|tokens?)|generateroot|credentials?|macaroons?)$/;

/** How texts say that one is made: "Create a user/API key". */
const saidToMake =
  /^\W*(?:create|generate|issue|mint)s? (?:(?:an?|new|the) ){0,2}(?:(?:\w+ ){0,2}(?:\w+\/)?api[- ]?keys?|(?:\w+ )?(?:json web keys?|key ?pairs?|(?:private|signing) keys?))\b|^\W*(?:get|issue|obtain|sign)s? (?:an? |the |new )*(?:(?:client|signed|x\.?509)[- ])*(?:certificate|svid)s?\b/i;

/** What tools write behind it that is done there. */
const makingIt = /^(?:add|clone|create|generate|issue|mint|new|on?submit)$/;

/** The same where it is somebody's own: elsewhere a token may be a coin or a card. */
const givesOwn = /^(?:keys?|secrets?|tokens?)$/;

/** What is done with them there. */
const renewing = /^(?:blacklist|introspect|obtain|refresh|revoke|verify)$/;

/** What servers of tokens answer beside these (RFC 6749, 7009, 7662, 8628, 9126). */
const ofTokenServer =
  /^(?:authorize|challenge|device(?:auth|authorization|code)|introspect|par|revoke|\w*authenticate)$/;
const tokenServer = /^(?:oauth2?|oidc)$/;

/** What is done with a code that people get in a message. */
const ofCode = /^(?:re)?(?:send|verify)/;

/** Ways to log in with what a message brings or a device holds, wherever they stand in a path. */
const byMessage =
  /^(?:cryptowallets?|magiclinks?|passkeys?|passwordless|recoverycodes?|t?otps?|webauthn)$/;
const ofMessage = /^(?:add|authenticate|invite|login|recover|register|(?:re)?send|verify)/;

/** Where they get such codes, and show them. */
const ofPeople =
  /^(?:2fa|auth(?:entication)?|elevate|login|mfa|otp|register|registration|sign(?:in|up)|totp)$/;

/** A text that says that a credential is handed out or made good again; its topic may stand before it. */
const saidToIssue =
  /^\s*(?:\w[\w. ]{0,20} [-–:] )?(?:get|retrieve|issue|obtain|request|generate|create|refresh|renew|exchange)s? (?:(?:an?|the|new|your|[a-z]+-lived) )*(?:(?:access|o?auth(?:entication|orization)?|bearer|jwt|refresh|session) (?:jwts?|keys?|tokens?)\b|authorization codes?\b|(?:jwts?|tokens?)\W*$)/i;

/** What texts of all languages call what is renewed. */
const spokenToken = /\b(?:access|auth|bearer|jwt|refresh)[ _-]?tokens?\b/i;

/** Where somebody's own credential stands: nothing but these before it. */
const ofOneself = /^(?:accounts?|auth\w*|me|oauth\d?|profile|users?)$/;
const oneToken = /^(?:(?:access|bearer)?token|jwt)$/;

/** What a server is called by when something has happened elsewhere, and how the caller proves who it is. */
const hooked = /^(?:\w*(?:web)?hooks?|callbacks?|inbound)$/;
const hookProof =
  /^(?:x[-_])?(?:[a-z\d]+[-_])*(?:web)?(?:hook|hub)[-_](?:[a-z\d]+[-_])*(?:secret|signature|token)\b/i;
const proofOfCaller = /(?:^|[-_])(?:secret|signature)(?:$|[-_])/i;

/** The part of a path where those who subscribe answer, and how a text says that it is theirs. */
const listening = /^(?:event|notification)?listeners?$/;
const saidToListen =
  /\b(?:client|event|notification) listeners?\b|\b(?:receiv|notif)\w+ (?:of )?(?:the |an? )?(?:event|notification)s?\b/i;

/** How a text says the same of what a vendor's document has among its own: "Webhook receiver". */
const saidToReceive =
  /\bweb ?hooks? (?:handler|listener|receiver)\b|\bwill (?:post|send)\b[^.]{0,80}\bto (?:an?|the|your) (?:endpoint|server|url)\b[^.]{0,40}\bconfigured\b/i;

/** A summary that says no more than what such a form is for. */
const saidToLogIn =
  /^\s*(?:(?:user|social|request|confirm|resend|redeem|verify) )?(?:log|sign)[- ]?(?:in|on|out|off)\b/i;

/** The same behind the name of whoever knows the person: "Google login". */
const saidToLogInBy =
  /^\s*(?:(?!(?:add|create|delete|edit|get|list|remove|set|update)s?\b)\p{L}+ ){1,2}(?:log|sign)[- ]?(?:in|on|up)\b(?=\W*$| (?:with|by|via|using|as|to|and|or|users?|authentication|endpoint|route)\b)/iu;

/** Where another site that knows a person sends him back to (RFC 6749, section 3.1.2). */
const ofOtherSite = /^(?:oauth2?|oidc|openid|saml2?|sso)$/;

/** How texts without spaces end that say so. */
const saidToLogInElsewhere =
  /(?:登[录陆入]|ログイン|サインイン|로그인)(?:接口|API)?\s*(?:[(（].*)?$/i;

/** Words of a name that say so, unless they are about a thing: its settings, its attempts. */
const calledLogin =
  /(?:^| )(?:log ?(?:in|on)|sign ?(?:in|up))(?=$| (?:api|by|post|user|via|with)\b)/;

/** How a text begins of what shows that a setting is good: nobody has a use for what is sent. */
const trying =
  /^\W*(?:request|send|trigger)s? (?:an? |the )?(?:sample|test) (?:e-?mail|event|message|notification|sms|web-?hook)/i;

/** An id in the place of a parameter (RFC 9562, section 4), as tools write that record what somebody does. */
const exampleId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Members of the body with which one proves who one is. */
const proof = /^(?:passw(?:or)?d|grant_?type|refresh(?:_?token)?|otp(?:_?code)?)$/i;

/**
 * Why an agent has no use for an operation that its server answers: it tells operators that it is up,
 * hands out its own description, or logs somebody in. A server brings the credentials of its tools, and no
 * agent is to be asked for one.
 */
export function asideReason(document: ApiDocument, nature: OperationNature): string | undefined {
  const reason = uselessReason(document, nature);
  if (reason !== undefined) return reason;
  const { operation, reads } = nature;
  const asked = demandedSecret(document, operation);
  if (asked !== undefined) return filledIn('body demands', asked);
  const proof = demandedProof(document, operation);
  if (proof !== undefined) return filledIn('header demands', proof);
  const offered = reads
    ? undefined
    : (offeredSecret(document, operation) ?? storedSecret(document, operation));
  return offered === undefined ? undefined : filledIn('body takes', offered);
}

function filledIn(what: string, name: string): string {
  return `its ${what} a credential ("${name}"), which a model would have to fill in`;
}

function uselessReason(document: ApiDocument, nature: OperationNature): string | undefined {
  const { called: operation, reads } = nature;
  // An extension of connectors: what begins a flow, asked again and again, or called back.
  if (operation.node['x-ms-trigger'] !== undefined)
    return 'it begins flows of others when something happens';
  if (
    ['summary', 'description'].some((key) =>
      unmade.test(textOf(operation.node[key]).slice(0, shownText)),
    )
  )
    return 'its text says that it is not implemented';
  const named = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  if (named.some((part) => exampleId.test(part)))
    return 'its path holds the id of somebody, as an example: make a parameter of it';
  const parts = named.map((part) => part.toLowerCase().replace(/[-_]/g, ''));
  const path = { named, parts, pathParameters: operation.path.split('{').length - 1 };
  if (reads && operation.method === 'GET') return asideRead(document, nature, path);
  const isAdded = addsByPut(operation);
  // Other PUTs may create, too.
  if ((operation.method === 'PUT' && !isAdded) || operation.method === 'PATCH') {
    if (makesCredential(parts)) return madeReason;
    const given = givenReason(document, nature);
    return given ?? (operation.method === 'PUT' ? rightsReason(document, operation) : undefined);
  }
  if (operation.method !== 'POST' && !isAdded) return undefined;
  // One token at its place is that of whoever logs in there, a collection of them is looked after.
  const isLogin = oneToken.test(parts.at(-1) ?? '') && logsIn(document, operation, path);
  if (
    !reads &&
    !isLogin &&
    (makesCredential(parts) ||
      saidToMake.test(textOf(operation.node['summary'])) ||
      saysCredential(document, operation) ||
      makesClient(document, nature) ||
      saysToReturn(operation))
  )
    return madeReason;
  if (isHook(document, operation, parts))
    return 'others call it to tell what has happened: it takes their secret or signature';
  if (isListener(operation, parts))
    return 'others call it to tell what has happened: it shows how a listener of theirs answers';
  if (logsIn(document, operation, path)) return loginReason;
  if (reads) return undefined;
  if (isOfOwnAccount(document, operation, path)) return ownReason;
  if (trying.test(toldFirst(operation.node))) return 'it only tries what has been set up';
  return (
    callReason(document, operation) ??
    paidReason(document, operation) ??
    sentReason(document, operation) ??
    rightsReason(document, operation) ??
    letInReason(document, operation) ??
    decisionReason(document, operation) ??
    (nature.runs ? runReason : undefined) ??
    workReason(document, operation) ??
    givenReason(document, nature) ??
    (nature.destroys ? undefined : hookReason(document, operation))
  );
}

function givenReason(document: ApiDocument, nature: OperationNature): string | undefined {
  const given = givenCredential(document, nature);
  return given === undefined
    ? undefined
    : `it gives a credential ("${given}" of its answer), which agents would see: make one yourself`;
}

function makesCredential(parts: readonly string[]): boolean {
  const [before = '', last = ''] = ['', ...parts].slice(-2);
  if (makingIt.test(last) && before !== 'credentials') return makesCredential(parts.slice(0, -1));
  if (last === 'bootstrap' && before === 'acl') return true;
  return givesCredential.test(last) || (givesOwn.test(last) && ofOneself.test(before));
}

const madeReason = 'it makes a credential, which agents would see: make one yourself';
const runReason =
  'it runs what its caller has written, which may change or take away anything: switch it on if agents may do that';
const ownReason = 'it is how people join and prove who they are: they do that themselves';

const shownReason = 'it shows credentials, or is about them alone: agents have no use for those';

const pageReason = 'it shows a page to people whose log-in has failed';

const loginReason = 'it is how people log in: set the credential of this server instead';

function asideRead(
  document: ApiDocument,
  { operation, pathParameters, content }: OperationNature,
  path: PathParts,
): string | undefined {
  const { parts } = path;
  const last = parts.at(-1) ?? '';
  if (
    pathParameters === 0 &&
    (health.test(last) ||
      (alive.test(last) && (health.test(parts.at(-2) ?? '') || isToldAlive(operation))))
  ) {
    return 'it says no more than that a service is up';
  }
  if (pageFile.test(operation.path) && Object.keys(content?.schema ?? {}).length === 0)
    return 'it gives the files of a page that people look at';
  const told = textOf(operation.node['summary']);
  const isToldLogin = namedLogin.test(last) && (saidToIssue.test(told) || saidToLogIn.test(told));
  const isLogin = isToldLogin || /^(?:login|logon|signin)$/.test(last);
  const isOfLogins = parts.slice(0, -1).some((part) => ofCredentials.test(part));
  if (isLogin && (pathParameters === 0 || isOfLogins)) return loginReason;
  if (parts.includes('callback') && parts.some((part) => ofOtherSite.test(part)))
    return loginReason;
  if (pathParameters === 0 && isConfirmedByLink(document, operation, path)) return ownReason;
  if (pathParameters === 0 && showsOwnLogin(document, operation)) return ownReason;
  if (pathParameters === 0 && showsErrorPage(document, operation)) return pageReason;
  const before = parts.slice(0, -1).filter((part) => !/^(?:api|v\d+\w*)$/.test(part));
  const isAsked = parametersOf(document, operation).some(({ in: place }) => place === 'query');
  const isOwnToken = oneToken.test(last) && before.every((part) => ofOneself.test(part));
  if (isOwnToken && !isAsked && answerList(document, content) === undefined) return loginReason;
  if (showsCredentials(document, operation, content) || showsSecret(document, operation, content))
    return shownReason;
  const isOwn = answerTypes(document, operation).some((type) => /\bvnd\.oai\.openapi/.test(type));
  const isTold = pathParameters === 0 && ofItself.test(told);
  return isOwn || isTold || /^(?:openapi|swagger)(?:\.?json|\.?ya?ml)?$/.test(last)
    ? 'it gives the description itself'
    : undefined;
}

function isToldAlive({ id, node }: ApiOperation): boolean {
  return toldAlive.test(`${id ?? ''} ${textOf(node['summary'])} ${textOf(node['description'])}`);
}

/** Whether others call an operation: a header holds what proves to a server who sends it an event. */
function isHook(document: ApiDocument, operation: ApiOperation, parts: readonly string[]): boolean {
  const isNamed = parts.some((part) => hooked.test(part));
  return parametersOf(document, operation).some(
    ({ in: place, name }) =>
      place === 'header' && (hookProof.test(name) || (isNamed && proofOfCaller.test(name))),
  );
}

/** Whether it is what subscribers are to answer, which standards describe beside what a server does. */
function isListener({ node }: ApiOperation, parts: readonly string[]): boolean {
  const told = `${textOf(node['summary'])} ${String(node['description'] ?? '').slice(0, shownText)}`;
  if (hooked.test(parts.at(-1) ?? '') && saidToReceive.test(told)) return true;
  return parts.some((part) => listening.test(part)) && saidToListen.test(told);
}

function logsIn(
  document: ApiDocument,
  operation: ApiOperation,
  { named, parts, pathParameters }: PathParts,
): boolean {
  const [before = '', last = ''] = ['', ...parts].slice(-2);
  const texts = ['summary', 'description'].map((key) => textOf(operation.node[key]));
  const isIssued = texts.some((text) => saidToIssue.test(text.split(/\.(?=\s|$)|\n/, 1)[0] ?? ''));
  const isOfCredential =
    parts.some((part) => ofCredentials.test(part)) || named.some(hasCredentialWord);
  const isProof = bodyMembers(document, operation).some((name) => proof.test(name));
  const isSaid = [saidToLogIn, saidToLogInElsewhere].some((said) => said.test(texts[0] ?? ''));
  const isProven = isOfCredential && (isIssued || isSaid || isProof);
  const isCalled = isOfCredential && pathParameters === 0 && isCalledLogin(operation);
  const isSpoken = isIssued || isProof || texts.some((text) => spokenToken.test(text));
  const isRenewed =
    /^sessions\/(?:authenticate|exchange)$/.test(`${before}/${last}`) ||
    (renewing.test(last) &&
      (/^(?:auth|jwt|tokens?)$/.test(before) || (last === 'refresh' && isSpoken)));
  const isCode =
    /^magiclinks?$/.test(last) ||
    ((ofCode.test(last) || byMessage.test(last)) && ofPeople.test(before)) ||
    ([last, last === 'start' ? before : ''].some((part) => ofMessage.test(part)) &&
      parts.some((part) => byMessage.test(part)));
  const isOfServer =
    (last === 'challenge' && before === 'auth') ||
    ([last, before + last].some((part) => ofTokenServer.test(part)) &&
      parts.some((part) => tokenServer.test(part)));
  return isOfServer || login.test(last) || isProven || isCalled || isRenewed || isCode;
}

function isCalledLogin({ id = '', node }: ApiOperation): boolean {
  const name = wordsOf(id).join(' ').toLowerCase();
  return calledLogin.test(name) || saidToLogInBy.test(textOf(node['summary']));
}

/** How a text begins: enough to tell what it is about. */
function textOf(text: unknown): string {
  return String(text ?? '').slice(0, 80);
}

function hasCredentialWord(part: string): boolean {
  return wordsOf(part).some((word) => credentialWord.test(word.toLowerCase()));
}
