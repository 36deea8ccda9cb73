import type { RegistrationRecords } from '../records/registrations.ts';
import { InvalidToken } from '../tokens/access-token.ts';
import {
  type AssertionVerification,
  type VerifiedAssertion,
  verifyReadAssertion,
} from '../tokens/assertion.ts';
import type { ReadToken } from '../tokens/known-signatures.ts';
import type { IssueAgentToken } from './agent-token.ts';
import { refusal, type TokenAnswer, type TokenRequest } from './grant.ts';

export interface OwnAssertionParts {
  readonly records: Pick<RegistrationRecords, 'findTogether'>;
  readonly verification: AssertionVerification;
  readonly issue: IssueAgentToken;
}

/** Takes an assertion that this server is said to have issued; nothing where it is said of others. */
export type OwnAssertions = (
  assertion: string,
  request: TokenRequest,
) => Promise<TokenAnswer> | undefined;

/** Give an agent an access token for the assertion that it got here; it can be used again. */
export function ownAssertion(parts: OwnAssertionParts): OwnAssertions {
  const { signatures, addresses } = parts.verification;
  return (assertion, request) => {
    const read = signatures.read(assertion);
    if (read?.jws.claims['iss'] !== addresses.base()) return undefined;
    return exchange(read, request, parts);
  };
}

async function exchange(
  assertion: ReadToken,
  request: TokenRequest,
  { records, verification, issue }: OwnAssertionParts,
): Promise<TokenAnswer> {
  const verified = await verify(assertion, verification);
  const registration = await records.findTogether(verified.registration);
  if (!registration || registration.epoch !== verified.epoch) {
    throw refusal('invalid_grant', 'the assertion was withdrawn; use the newest one');
  }
  if (verified.jkt !== undefined && verified.jkt !== request.jkt) {
    throw refusal('invalid_grant', 'a proof with the key of the assertion is missing');
  }
  return issue(registration, request);
}

async function verify(
  assertion: ReadToken,
  parts: AssertionVerification,
): Promise<VerifiedAssertion> {
  try {
    return await verifyReadAssertion(assertion, parts);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw refusal('invalid_grant', `the assertion is refused: ${error.message}`);
  }
}
