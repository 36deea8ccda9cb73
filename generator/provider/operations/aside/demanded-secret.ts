import { isObject } from '#contract/json';
import { type ApiOperation, parametersOf } from '../../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { bodySchema } from '../../examples/body-schema.ts';
import { mergedSchema } from '../../examples/merged-schema.ts';
import { isDemandedCredential } from '../../guess/credential-names.ts';
import { isType, membersOf } from '../../guess/pages/answer-list.ts';
import { parameterText } from '../../guess/told-credential.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';
import { nounOf } from '../operation-role.ts';

type Schema = ReturnType<typeof membersOf>[number][1];

/** What credentials are called, in small letters without anything between. */
const secret =
  /^(?:[a-z]{0,20}(?:password|passwd|passphrase|secret|apikey|privatekey|secretkey|accesskey)|(?:[a-z]{0,20})(?:access|api|auth|bearer|bot|refresh)token)$/;

/** What is joined to others by several of them: where other things are made, each of them may be left out. */
const joinedElsewhere =
  /^(?:[a-z]+ )?(?:connection|connector|integration|organi[sz]ation|provider|syncer|tenant)$/;
const fewestSetUp = 2;

/** What nobody reaches without one, and who is named beside it: one of them is enough. */
const reachedBy = /^(?:[a-z]+ )?(?:cluster|mirror|registry|repository)$|creds?$/;

/** What is said about one, and how one is chosen or proven anew. */
const aboutOne =
  /^(?:has|is|no|force|require|reset|change|forgot|generate|auto|use|idempotency|confirm|repeat|retype)/;

/**
 * The member that a body has to have and that is a credential: whoever calls the tool would have to know it, and a
 * model is no place for it.
 */
export function demandedSecret(document: ApiDocument, operation: ApiOperation): string | undefined {
  const body = bodySchema(document, operation);
  const demanded = demandedOf(document, body);
  const inner = demanded.flatMap(([, schema]) => demandedOf(document, schema));
  return [...demanded, ...inner].find(([name, schema]) => isSecret(name, schema))?.[0];
}

/** What somebody alone knows, has on a card or has got to join with, whether it has to be sent or not. */
const ofCard = /^(?:cardno|cardnum|cardnumber|cvv2?|cvc2?|cardpan)$/;
const ofJoining = /^(?:bootstrap|enrol(?:l?ment)?|join)token$/;
const ofLogin = /^(?:passwd|password|passcode|pin|pincode|otp|otpcode)$/;

/** How paths and texts say that an account elsewhere is joined to the one here. */
const linking = /\b(?:aggregat\w+|attach|bind(?:ing)?|connect(?:ion)?|link(?:ed)?|mandate)s?\b/i;

/** Where something else is reached, and as whom somebody logs in there. */
const reachedAt = /^(?:db|database|remote|ssh)?(?:addr|endpoint|host|hostname|ip|server|url)$/;
const loggedInAs = /^(?:db|database|remote|ssh)?(?:login|user|username)$/;

/** What is shared by a link has a password that whoever calls sets, and so has what names nobody beside it. */
const sharing = /\bshar(?:e|es|ing)\b/i;
const who =
  /^(?:(?:account|card|client|customer|login|user)(?:id|no|num|number|name)?|e?mail|id|mobile|phone(?:number)?)$/;

/**
 * The member of a body that may be left out, and with which somebody shows who he is or pays: the number of a card, or
 * a password where an account of somebody is joined. Elsewhere what may be left out is set by whoever calls.
 */
export function offeredSecret(document: ApiDocument, operation: ApiOperation): string | undefined {
  const outer = membersOf(document, bodySchema(document, operation));
  const inner = outer.flatMap(([, schema]) => membersOf(document, schema));
  const card = [...outer, ...inner].find(([name]) =>
    [ofCard, ofJoining].some((names) => names.test(plainName(name))),
  )?.[0];
  const setUp = outer.filter((member) => isSecret(...member));
  const isSetUp = operation.method === 'POST' && joinedElsewhere.test(lastThing(operation));
  if (isSetUp && setUp.length >= fewestSetUp) return setUp[0]?.[0];
  if (operation.method === 'POST' && reachedBy.test(lastThing(operation))) {
    const found = [...outer, ...inner].find((member) => isSecret(...member));
    if (found !== undefined) return found[0];
  }
  const isLogin = [reachedAt, loggedInAs].every((names) =>
    outer.some(([name]) => names.test(plainName(name))),
  );
  if (operation.method === 'POST' && isLogin && setUp.length > 0) return setUp[0]?.[0];
  const told = `${operation.path.replace(/\{[^}]*\}/g, '')} ${toldFirst(operation.node)}`;
  const shown = told.replaceAll('_', ' ').slice(0, shownText);
  if (card !== undefined || !linking.test(shown) || sharing.test(shown)) return card;
  if (!outer.some(([name]) => who.test(plainName(name)))) return undefined;
  return outer.find(([name]) => ofLogin.test(plainName(name)))?.[0];
}

/** Where secrets are kept, and the member that is one. */
const keptSecret = /^(?:[a-z]+ )?secret$/;
const secretItself = /^(?:data|payload|secretdata|secretstring|secretvalue|stringdata|value)$/;

/** The member of a body that is put away as a secret, whatever it is called. */
export function storedSecret(document: ApiDocument, operation: ApiOperation): string | undefined {
  const thing = lastThing(operation);
  if (!keptSecret.test(thing)) return undefined;
  const body = bodySchema(document, operation);
  if (isType(body, 'string')) return thing;
  return membersOf(document, body).find(([name]) => secretItself.test(plainName(name)))?.[0];
}

/** What headers are called that hold what somebody alone knows, or has got to join with. */
const proofHeader =
  /(?:^|[-_])(?:passw(?:or)?d|passcode|pin|otp|totp|2fa|mfa(?:[-_]?code)?|auth[-_]?confirm|registration[-_]?token)(?:$|[-_](?:code|token)$)/i;
const saidToProve = /\b(?:passwords?|passcode|one[- ]time (?:code|password))\b/i;

/** The header that an operation demands and that nobody but a person can fill in: a password, a code. */
export function demandedProof(document: ApiDocument, operation: ApiOperation): string | undefined {
  return parametersOf(document, operation).find(
    (parameter) =>
      parameter.in === 'header' &&
      parameter.required &&
      !isDemandedCredential(parameter) &&
      (proofHeader.test(parameter.name) || saidToProve.test(parameterText(parameter.node))),
  )?.name;
}

function lastThing({ path }: ApiOperation): string {
  return nounOf(path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '');
}

function demandedOf(document: ApiDocument, schema: Schema): ReturnType<typeof membersOf> {
  const { required } = mergedSchema(document, schema);
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return membersOf(document, schema).filter(([name]) => names.includes(name));
}

/** Several of them in one object, whatever they are: one of them may be a document that proves something of somebody. */
const several = /^(?:[a-z]{0,20})credentials$/;

function isSecret(name: string, schema: Schema): boolean {
  const { type, properties, format } = schema;
  if (several.test(plainName(name)) && (type === undefined || isType(schema, 'object')))
    return true;
  if (isObject(properties) || (type !== undefined && !isType(schema, 'string'))) return false;
  const plain = plainName(name);
  return format === 'password' || (secret.test(plain.replace(/\d$/, '')) && !aboutOne.test(plain));
}

function plainName(name: string): string {
  return name
    .slice(0, shownName)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
}

/** So many characters of a name tell what it is. */
const shownName = 60;
