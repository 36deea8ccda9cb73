import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerTypes } from '../guess/answer-form.ts';
import { bodyMembers } from './operation-details.ts';
import type { OperationNature } from './operation-nature.ts';

/** Paths that end so ask whether a service is up. */
const health = /^(?:health(?:z|check|status)?|livez|liveness|readyz|readiness|ping)$/;

/** A summary that says no more than that a document describes its own API. */
const ofItself =
  /^(?:get |read |retrieve |returns? )?(?:the |this )?(?:open ?api|swagger) (?:definition|description|document|json|schema|spec(?:ification)?|ya?ml)\b/i;

/** Paths that end so are where people log in and out, whatever they take. */
const login =
  /^(?:log(?:in|on|out|off)|sign(?:in|out|off)|(?:forgot|reset|change)password|(?:send|verify)otp)$/;

/** Where credentials are made: what takes one there gives another one. */
const ofCredentials = /^(?:auth\w*|jwt|log(?:in|on)|oauth\d?|sessions?|sign(?:in|up)|tokens?)$/;

/** The same as a word of several: `end_user_authentications`, `password-login`. */
const credentialWord = /^(?:auth(?:n|enticat\w*)?|jwt|log(?:in|on)|oauth\d?|tokens?)$/;

/** What is made here is a credential of the API itself: a token that people pay with is not. */
const givesCredential =
  /^(?:(?:generate|create|issue|new)?(?:(?:personal)?access|api|client|service|user)(?:keys?|secrets?|tokens?)|(?:generate|create|issue)(?:keys?|secrets?|tokens?))$/;

/** What is done with them there. */
const renewing = /^(?:blacklist|introspect|obtain|refresh|revoke|verify)$/;

/** What is done with a code that people get in a message. */
const ofCode = /^(?:re)?(?:send|verify)/;

/** Where they get such codes, and show them. */
const ofPeople =
  /^(?:2fa|auth(?:entication)?|login|mfa|otp|register|registration|sign(?:in|up)|totp)$/;

/** A summary that says no more than what such a form is for. */
const saidToLogIn =
  /^\s*(?:(?:user|social|request|confirm|resend|redeem|verify) )?(?:log|sign)[- ]?(?:in|on|out|off)\b/i;

/** An id in the place of a parameter (RFC 9562, section 4), as tools write that record what somebody does. */
const exampleId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Members of the body with which one proves who one is. */
const proof = /^(?:passw(?:or)?d|grant_?type|refresh(?:_?token)?|otp(?:_?code)?)$/i;

/**
 * Why an agent has no use for an operation that its server answers: it tells operators that it is up,
 * hands out its own description, or logs somebody in. A server brings the credentials of its tools.
 */
export function asideReason(
  document: ApiDocument,
  { operation, reads, pathParameters }: OperationNature,
): string | undefined {
  const named = operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  if (named.some((part) => exampleId.test(part)))
    return 'its path holds the id of somebody, as an example: make a parameter of it';
  const parts = named.map((part) => part.toLowerCase().replace(/[-_]/g, ''));
  const last = parts.at(-1) ?? '';
  if (reads && operation.method === 'GET') {
    if (pathParameters === 0 && health.test(last))
      return 'it says no more than that a service is up';
    const isOwn = answerTypes(document, operation).some((type) => /\bvnd\.oai\.openapi/.test(type));
    const isTold = pathParameters === 0 && ofItself.test(String(operation.node['summary'] ?? ''));
    return isOwn || isTold || /^(?:openapi|swagger)(?:\.?json|\.?ya?ml)?$/.test(last)
      ? 'it gives the description itself'
      : undefined;
  }
  if (operation.method !== 'POST') return undefined;
  const isProven =
    (parts.some((part) => ofCredentials.test(part)) || named.some(hasCredentialWord)) &&
    (saidToLogIn.test(String(operation.node['summary'] ?? '').slice(0, 80)) ||
      bodyMembers(document, operation).some((name) => proof.test(name)));
  if (!reads && givesCredential.test(last))
    return 'it makes a credential, which agents would see: make one yourself';
  const before = parts.at(-2) ?? '';
  const isRenewed = renewing.test(last) && /^(?:auth|jwt|tokens?)$/.test(before);
  const isCode = ofCode.test(last) && ofPeople.test(before);
  return login.test(last) || isProven || isRenewed || isCode
    ? 'it is how people log in: set the credential of this server instead'
    : undefined;
}

function hasCredentialWord(part: string): boolean {
  return wordsOf(part).some((word) => credentialWord.test(word.toLowerCase()));
}
