import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { smallWords, wordsOf } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { answerList, isType, membersOf } from '../../guess/pages/answer-list.ts';
import { shownText } from '../nature/told-summary.ts';
import { bodyMembers } from '../operation-details.ts';
import type { OperationNature } from '../operation-nature.ts';
import { nounOf } from '../operation-role.ts';

/** Members of an answer that are credentials, in small letters without anything between. */
const credential =
  /^(?:new|personal|plain|plaintext|raw)?(?:(?:access|api|app|auth|bearer|bootstrap|bot|client|connection|jwt|plain|plaintext|raw|refresh|registration|session|signing|webhook)(?:jwt|secret|token)|(?:access|api|full|private|secret|secretaccess)key|(?:basic|rest)?authkey|jwt|(?:initial|temporary)password|connection(?:string|uri)s?|recovery(?:code|link)|cvc2?|cvv2?)$/;

/** A token may as well be a coin, a place in a list or an invitation, a secret what a thing is about: its surroundings have to say it. */
const ofCredentials =
  /^(?:apikeys?|auth|authentication|credentials?|jwt|login|register|registration|sessions?|signup|tokens?)$/;
const ofSecrets = /^(?:app|bot|client|credential|hook|key|robot|secret|webhook)s?$/;
const ofOthers =
  /^(?:cards?|coins?|contracts?|crypto|devices?|domains?|erc\d+|networks?|nfts?|payments?|push|validation|verification|wallets?)$/;
const saidToProve = /\b(?:authenticat\w+|authori[sz]\w+|bearer|jwt)\b/i;

/** What is done to a thing that is there: the answer shows it again. */
const showingAgain =
  /^(?:cancel|capture|close|end|increment|pause|resume|revoke|stop|suspend|sync|update|void)$/;

/** What is wrapped around an answer, and around credentials in it. */
const wrapper = /^(?:attributes|body|content|data|payload|response|result|(?:o?auth)(?:_?data)?)$/;

/** What calls an API in the place of a person: a secret that may be sent for one is made where it is not. */
const machine = /^(?:bot|machine|robot|service account)$/;

type Member = ReturnType<typeof membersOf>[number];

/**
 * The member of an answer that is a credential which its operation makes. What the caller has sent
 * is none: a server that says it again tells nothing new.
 */
export function givenCredential(
  document: ApiDocument,
  { operation, content }: OperationNature,
): string | undefined {
  const end = operation.path.split('/').findLast((part) => part !== '') ?? '';
  if (content === undefined || showingAgain.test(end)) return undefined;
  const isList = isType(content.schema, 'array');
  const schema = isList ? mergedSchema(document, content.schema['items']) : content.schema;
  const members = answered(document, schema);
  const found = members.filter(
    (member) =>
      isCredential(operation, ...member) ||
      holdsKey(document, member) ||
      comesBeside(document, membersOf(document, schema), member),
  );
  if (found.length === 0) return undefined;
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const isMachine = machine.test(nounOf(parts.at(-1) ?? ''));
  const sent = isMachine ? demandedNames(document, operation) : sentNames(document, operation);
  return found.map(([name]) => name).find((name) => !sent.has(squashed(name)));
}

/** Whether a member is an object that holds a credential, or a list of these: `api_key: { key }`. */
function holdsKey(document: ApiDocument, [name, schema]: Member): boolean {
  if (!credential.test(squashed(name))) return false;
  const own = isType(schema, 'array') ? mergedSchema(document, schema['items']) : schema;
  return membersOf(document, own).some(([inner, each]) => {
    const plain = squashed(inner);
    return (keyItself.test(plain) || credential.test(plain)) && isType(each, 'string');
  });
}

/** Whether a secret is no part of what is made and comes beside it: `{ ticket: { id }, secret }`. */
function comesBeside(
  document: ApiDocument,
  outer: readonly Member[],
  [name, schema]: Member,
): boolean {
  if (squashed(name) !== 'secret' || !isType(schema, 'string')) return false;
  const objects = outer.filter(([, own]) => membersOf(document, own).length > 0);
  return objects.length === 1 && outer.some(([own]) => own === name);
}

function demandedNames(document: ApiDocument, operation: ApiOperation): ReadonlySet<string> {
  const { required } = bodySchema(document, operation);
  return new Set(Array.isArray(required) ? required.map(String).map(squashed) : []);
}

/** How texts say that credentials are what is answered. */
const saidToReturn =
  /\b(?:returns|will return|responds with|answers with) (?:the |a |an |your |new |\w+ )?(?:\w+ )?(?:credentials|api keys?)\b/i;

/** Whether a text says that what is answered are credentials, whatever the members of its answer are called. */
export function saysToReturn({ node }: ApiOperation): boolean {
  const told = `${node['summary'] ?? ''}. ${node['description'] ?? ''}`.slice(0, 300);
  return saidToReturn.test(told);
}

/** What a POST to these makes, whatever the members of its answer are called, where texts or members of its body speak of access. */
const makingEnd = /^(?:create|generate|import|new)$/;
const ofAccess =
  /\b(?:access (?:keys?|rights?|tokens?)|scopes|api (?:keys?|tokens?)|authenticat\w+|authori[sz]\w+)\b/i;

/** What is said of a token with which somebody may do something, and until when: others are coins. */
const mayWith = /^(?:abilit(?:y|ies)|(?:ip )?restrictions?|permissions?|scopes?)$/;

/** Whether a POST makes what lets somebody in, as its path and its texts say: `/keys`, `/oauth/clients/create`. */
export function saysCredential(document: ApiDocument, operation: ApiOperation): boolean {
  const { path, node } = operation;
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const nouns = parts.filter((part) => !makingEnd.test(part)).map(nounOf);
  const last = nouns.at(-1) ?? '';
  if (last === 'client' && nouns.some((noun) => /^(?:m2m|oauth2?)$/.test(noun))) return true;
  if (/^(?:(?:access|add|api|create|service) )?token$/.test(last))
    return bodyMembers(document, operation).some((name) =>
      mayWith.test(smallWords(name).join(' ')),
    );
  if (last !== 'key') return false;
  const told = `${node['summary'] ?? ''} ${node['description'] ?? ''}`.slice(0, shownText);
  const members = bodyMembers(document, operation).join(' ').replaceAll('_', ' ');
  return ofAccess.test(`${told} ${members}`);
}

/** What is registered so that it may call an API in the name of others, and how its members tell. */
const ofClients = /^(?:[a-z]+ )?(?:app|application|client)$/;
const clientMembers = /^(?:clientsecret|granttypes?|jwks(?:uri)?|redirecturis?|responsetypes?)$/;
const ofPerson =
  /^(?:birth\w*|company\w*|e?mail\w*|firstname|lastname|mobile\w*|phone\w*|street\w*)$/;

/** Whether a POST registers a client of an API: its answer has the id by which it is known (RFC 7591 section 3.2.1). */
export function makesClient(
  document: ApiDocument,
  { operation, content }: OperationNature,
): boolean {
  const sent = [...sentNames(document, operation)];
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const last = nounOf(parts.findLast((part) => !makingEnd.test(part)) ?? '');
  const isClient = ofClients.test(last) && !operation.path.endsWith('}');
  if (isClient && ['clientsecret', 'redirecturis'].every((name) => sent.includes(name)))
    return true;
  if (content === undefined) return false;
  const given = answered(document, content.schema).map(([name]) => squashed(name));
  if (!given.includes('clientid') || operation.path.endsWith('}')) return false;
  // What somebody else knows it by is sent: elsewhere it tells of a way in that others have made.
  const isMade = isClient || last === 'register' || !sent.includes('clientid');
  if (isMade && [...given, ...sent].some((name) => clientMembers.test(name))) return true;
  return isClient && ![...given, ...sent].some((name) => ofPerson.test(name));
}

/** What a path ends in where what it gives are credentials and nothing else. */
const ofCredentialsAlone =
  /^(?:[a-z]+ )?(?:(?:access|admin|api|deploy|developer|management|private|secret|service|ssh|tsig) (?:key|token)|client secret)$|^(?:api ?key|(?:[a-z]+ )?cred|env(?:ironment)? var(?:iable)?)$/;

/** How what is kept hidden is shown after all. */
const revealing =
  /(?:credentials?|keys?|passw(?:or)?d|secrets?|tokens?)\/(?:decrypt|reveal|unmask)$/i;

/** Whether keys are shown with the member that makes one private (RFC 7517 section 4, RFC 7518 section 6.2.2). */
function showsPrivateKeys(
  document: ApiDocument,
  { path }: ApiOperation,
  content: OperationNature['content'],
): boolean {
  if (content === undefined || /jwks|well-known/i.test(path)) return false;
  const item = answerList(document, content)?.item ?? content.schema;
  const lists = membersOf(document, item).map(([, { items }]) => items);
  const shown = [item, ...lists].map((each) =>
    membersOf(document, (each as Member[1] | undefined) ?? {}),
  );
  return shown.some((members) =>
    ['kty', 'd'].every((wanted) => members.some(([name]) => name === wanted)),
  );
}

/** Documents are called so, too, that prove something of somebody. */
const ofProofs = /\b(?:badges?|issuers?|presentations?|vcs?|verifiable|wallets?)\b/i;

/** Keys are of many kinds; where those of an API are spoken of, a member that is called so is one. */
const saidApiKeys = /\bapi[ _-]?keys?\b/i;
const keyItself = /^(?:key|secret|value)$/;

/** Whether a GET gives credentials, or a list of them, as its path or its answer tells. */
export function showsCredentials(
  document: ApiDocument,
  operation: ApiOperation,
  content: OperationNature['content'],
): boolean {
  const parts = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const last = nounOf(parts.findLast((part) => !/^(?:all|list)$/i.test(part)) ?? '');
  if (ofCredentialsAlone.test(last) || revealing.test(parts.slice(-2).join('/'))) return true;
  if (last === 'key' && showsPrivateKeys(document, operation, content)) return true;
  if (parts.some((part) => nounOf(part) === 'credential') && givesToken(document, content))
    return true;
  if (last === 'secret' && showsKept(document, content)) return true;
  if (!/^(?:credential|key|secret|(?:[a-z]+ ){0,2}token)$/.test(last)) return false;
  const { summary = '', description = '' } = operation.node;
  const texts = `${String(description).slice(0, shownText)} ${document.root.info['title']}`;
  const told = `${operation.path.replaceAll('_', ' ')} ${summary} ${texts}`;
  if (last === 'credential') return !ofProofs.test(told);
  if (last === 'key' && saidApiKeys.test(told) && hasMember(document, content, keyItself))
    return true;
  return shownCredential(document, { operation, content }) !== undefined;
}

/** What a secret is called in what is kept of it, beside its name and its age. */
const keptAsSecret = /^(?:data|payload|secretdata|secretstring|secretvalue|stringdata|value)$/;

/** Whether secrets are given with what they hold, or nobody says that they are not: their names alone are no secret. */
function showsKept(document: ApiDocument, content: OperationNature['content']): boolean {
  const members = shownMembers(document, content);
  const isTexts = (schema: Member[1]) =>
    isType(schema, 'string') ||
    isType(mergedSchema(document, schema['additionalProperties']), 'string');
  return (
    members.some(([name, schema]) => keptAsSecret.test(squashed(name)) && isTexts(schema)) ||
    (members.length === 0 && answerList(document, content) === undefined)
  );
}

/** Whether an answer is what somebody calls with afterwards. */
function givesToken(document: ApiDocument, content: OperationNature['content']): boolean {
  return (
    answerList(document, content) === undefined &&
    shownMembers(document, content).some(([name]) => /^accesstoken$/.test(squashed(name)))
  );
}

/** The member of an answer, or of each thing in it, that is a credential. */
export function shownCredential(
  document: ApiDocument,
  { operation, content }: Pick<OperationNature, 'operation' | 'content'>,
): string | undefined {
  const members = shownMembers(document, content);
  return members.find(([name, member]) => isCredential(operation, name, member))?.[0];
}

function hasMember(document: ApiDocument, content: OperationNature['content'], names: RegExp) {
  return shownMembers(document, content).some(
    ([name, schema]) => names.test(squashed(name)) && isType(schema, 'string'),
  );
}

/** The members of an answer, or of each thing in it. */
function shownMembers(document: ApiDocument, content: OperationNature['content']) {
  const schema = answerList(document, content)?.item ?? content?.schema;
  return schema === undefined ? [] : answered(document, schema);
}

/** The members of an answer, and those of what is wrapped in it. */
function answered(document: ApiDocument, schema: Member[1]): readonly Member[] {
  const outer = membersOf(document, schema);
  const inner = outer.map(([name, member]) => [name, membersOf(document, member)] as const);
  const objects = inner.filter(([, members]) => members.length > 0);
  const wrapped = objects.filter(([name]) => objects.length === 1 || wrapper.test(name));
  const unwrapped = wrapped.flatMap(([, members]) => members);
  // What belongs to a thing stands below it once more (JSON:API 1.1, section 7.2).
  const attributes = unwrapped.flatMap(([name, member]) =>
    name === 'attributes' ? membersOf(document, member) : [],
  );
  const all = [...outer, ...unwrapped, ...attributes];
  // What may only be sent is in no answer (OpenAPI 3.0.4, schema object: writeOnly).
  return all.filter(([, member]) => member['writeOnly'] !== true);
}

function isCredential(operation: ApiOperation, name: string, schema: Member[1]): boolean {
  const { type, properties } = schema;
  if (properties !== undefined || (type !== undefined && !isType(schema, 'string'))) return false;
  const plain = squashed(name);
  return (
    credential.test(plain) ||
    (/^(?:secret|token)$/.test(plain) && speaksOfIt(operation, plain, schema))
  );
}

/** Whether a path, a summary or its own text tells that a token or secret lets its bearer in. */
function speaksOfIt(
  { path, node }: ApiOperation,
  name: string,
  { description }: Member[1],
): boolean {
  const summary = String(node['summary'] ?? '').slice(0, shownText);
  const told = `${path.replace(/\{[^}]*\}/g, '')} ${summary}`;
  const words = wordsOf(told).map((word) => word.toLowerCase());
  if (saidToProve.test(String(description ?? '').slice(0, shownText))) return true;
  const isSecret = name === 'secret' && words.some((word) => ofSecrets.test(word));
  if (isSecret) return true;
  return (
    words.some((word) => ofCredentials.test(word)) && !words.some((word) => ofOthers.test(word))
  );
}

/** What a body holds, at its top and one level below. */
function sentNames(document: ApiDocument, operation: ApiOperation): ReadonlySet<string> {
  const outer = membersOf(document, bodySchema(document, operation));
  const inner = outer.flatMap(([, schema]) => membersOf(document, schema));
  return new Set([...outer, ...inner].map(([name]) => squashed(name)));
}

/** A name in small letters, without anything between. */
export function squashed(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}
