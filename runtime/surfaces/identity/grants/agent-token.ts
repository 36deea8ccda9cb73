import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { Addresses } from '../addresses.ts';
import { invalidClient } from '../clients/client-errors.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import type { IssuedToken } from '../tokens/access-token.ts';
import { issueAccessToken, type Minting } from '../tokens/issue-token.ts';
import { refusal, type TokenRequest } from './grant.ts';
import { RequestPace } from './request-pace.ts';

export interface AgentTokenParts {
  readonly records: Pick<RegistrationRecords, 'use'>;
  readonly minting: Minting;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly events: Pick<IdentityEvents, 'tokenIssued'>;
  readonly tenant: string;
  /** How fast one agent may ask, whichever tenant it belongs to. */
  readonly pace: RequestPace;
  /** Told when it could not be noted that the registration was used. */
  readonly onLoss: (error: unknown) => void;
}

/** Issues tokens to one agent for what it has proven. */
export type IssueAgentToken = (
  registration: Registration,
  request: TokenRequest,
) => Promise<IssuedToken>;

const perMinute = 60;

/** Make what counts the requests of all agents. */
export function agentPace(now: () => number): RequestPace {
  return new RequestPace(perMinute, 60_000, now);
}

/** That a registration is used is noted in steps of this. */
const usedStepMs = 600_000;

/** Make what issues tokens to registered agents. */
export function agentTokens(parts: AgentTokenParts): IssueAgentToken {
  const { records, minting, addresses, scopes, events, tenant, pace, onLoss } = parts;
  return async (registration, { form, jkt }) => {
    const { id, user, usedAt } = registration;
    if (form['client_id'] !== undefined && form['client_id'] !== id) {
      throw invalidClient('client_id is not the registration');
    }
    pace.take(`${tenant} ${id}`);
    const now = minting.now();
    requireLive(registration, now);
    if (registration.jkt !== '' && registration.jkt !== jkt) {
      throw refusal('invalid_grant', 'a proof with the key of this registration is missing');
    }
    const resource = requestedResource(addresses, form['resource']);
    const granted = grantedScopes(registration, form['scope'], scopes);
    const token = await issueAccessToken(minting, {
      subject: user ?? id,
      client: id,
      registration: id,
      scopes: granted,
      resource,
      jkt,
      notBefore: registration.notBefore,
      ...(user !== undefined && { act: { sub: id } }),
    });
    if (now - (usedAt ?? 0) > usedStepMs) {
      void records.use(id).catch(onLoss);
    }
    const { id: tokenId, ...issued } = token;
    const actor = { type: 'agent', id: user ?? id, registration: id } as const;
    const payload = { jti: tokenId, resource, scope: issued.scope.slice(0, 2000) };
    // A token leaves when its entry is on the disk: after a crash there is none that nobody knows of.
    await events.tokenIssued({ tenant, actor, subject: id, payload });
    return issued;
  };
}

/** @throws ServiceError `invalid_grant` where the registration is over */
function requireLive({ revokedAt, claimedAt, expiresAt }: Registration, now: number): void {
  if (revokedAt !== undefined) throw refusal('invalid_grant', 'the registration was revoked');
  if (claimedAt === undefined && expiresAt <= now) {
    throw refusal('invalid_grant', 'the registration has expired; register again');
  }
}

/** The resource that a token is for; the MCP endpoint where none is named (RFC 8707 section 2). */
export function requestedResource(addresses: Addresses, named: string | undefined): string {
  if (named === undefined) return addresses.mcp();
  const resource = addresses.resource(named);
  if (resource !== undefined) return resource;
  const known = `${addresses.mcp()} and ${addresses.base()}`;
  throw refusal('invalid_target', `the resources of this server are ${known}`);
}

function grantedScopes(
  { claimedAt, preScopes, postScopes }: Registration,
  wanted: string | undefined,
  scopes: Scopes,
): readonly string[] {
  const held = claimedAt === undefined ? preScopes : postScopes;
  const granted = wanted === undefined ? held : narrowed(scopes, held, parseScope(wanted));
  if (granted.length > 0) return granted;
  throw refusal('invalid_scope', 'nothing of the scope is granted to this registration');
}

/** Of what is wanted, what is held or follows of it. */
export function narrowed(
  scopes: Scopes,
  held: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  const all = scopes.expanded(held);
  return wanted.filter((name) => all.has(name));
}
