import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerTypes } from '../guess/answer-form.ts';
import { bodyMembers } from './operation-details.ts';
import type { OperationNature } from './operation-nature.ts';

/** Paths that end so ask whether a service is up. */
const health = /^(?:health(?:z|check|status)?|livez|liveness|readyz|readiness|ping)$/;

/** Paths that end so are where people log in and out, whatever they take. */
const login =
  /^(?:log(?:in|on|out|off)|sign(?:in|out|off)|(?:forgot|reset|change)password|(?:send|verify)otp)$/;

/** Where credentials are made: what takes one there gives another one. */
const ofCredentials = /^(?:auth\w*|jwt|log(?:in|on)|oauth\d?|sessions?|sign(?:in|up)|tokens?)$/;

/** What is done with them there. */
const renewing = /^(?:blacklist|introspect|obtain|refresh|revoke|verify)$/;

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
  const parts = operation.path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .map((part) => part.replace(/[-_]/g, ''));
  const last = parts.at(-1) ?? '';
  if (reads && operation.method === 'GET') {
    if (pathParameters === 0 && health.test(last))
      return 'it says no more than that a service is up';
    const isOwn = answerTypes(document, operation).some((type) => /\bvnd\.oai\.openapi/.test(type));
    return isOwn || /^(?:openapi|swagger)(?:\.?json|\.?ya?ml)?$/.test(last)
      ? 'it gives the description itself'
      : undefined;
  }
  if (operation.method !== 'POST') return undefined;
  const isProven =
    parts.some((part) => ofCredentials.test(part)) &&
    bodyMembers(document, operation).some((name) => proof.test(name));
  const isRenewed = renewing.test(last) && /^(?:auth|jwt|tokens?)$/.test(parts.at(-2) ?? '');
  return login.test(last) || isProven || isRenewed
    ? 'it is how people log in: set the credential of this server instead'
    : undefined;
}
