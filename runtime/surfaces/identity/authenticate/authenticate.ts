import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Arrival, Transport } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { atMost } from '#contract/memory/at-most';
import { addressKey } from '#contract/surface/address-key';
import type { AdmissionParts, Needs } from '#contract/surface/admission-parts';
import type { Addresses } from '../addresses.ts';
import { clockSkewMs } from '../numbers.ts';
import { type AccessToken, InvalidToken } from '../tokens/access-token.ts';
import type { Revocations } from '../tokens/revocations.ts';
import type { Challenges } from './challenges.ts';
import { ConnectionTokens } from './connection-tokens.ts';
import { type Presented, presentedToken, requireNoneInAddress } from './presented.ts';

export interface AuthenticateParts {
  /** Whether everybody has to bring a token, or whoever reaches the loopback interface need not. */
  readonly isRequired: boolean;
  readonly tenant: string;
  /** The tokens of all tenants that were verified lately. */
  readonly known: KnownTokens;
  readonly addresses: Addresses;
  readonly revocations: Pick<Revocations, 'has' | 'isFresh' | 'follow'>;
  readonly challenges: Challenges;
  /** @throws InvalidToken */
  readonly verify: (
    token: string,
    takesExpired?: boolean,
    network?: string,
  ) => Promise<AccessToken>;
  /** Look at the proof that belongs to a bound token. @throws ServiceError 401 */
  readonly checkProof?:
    | ((arrival: Arrival, token: string, jkt: string) => Promise<void>)
    | undefined;
  readonly now: () => number;
}

/** A token that was verified once, and who calls with it. */
interface Known {
  readonly token: AccessToken;
  readonly callers: Readonly<Record<Transport, Caller>>;
  /** When, on the clock of the process. */
  readonly at: number;
}

/** Credentials as a connection brought them, and what was made of them. */
interface Brought {
  readonly shown: Presented;
  readonly found: Known;
}

/** By tenant and hash of the token. */
export type KnownTokens = LRUCache<string, Known>;

const mostKnown = 10_000;
/** How long a token is not verified again, in milliseconds; what may change is looked at each time. */
const knownMs = 60_000;

/** Make room for the tokens that were verified lately. */
export function createKnownTokens(): KnownTokens {
  return new LRUCache({ ...atMost(mostKnown), ttl: knownMs });
}

/**
 * Make what says who calls. A token is verified at its first use (RFC 9068 section 4); its times,
 * its resource, its proof and whether it was revoked are looked at each time.
 */
export function createAuthenticate(
  parts: AuthenticateParts,
): NonNullable<AdmissionParts['authenticate']> {
  const { isRequired, tenant, known, revocations, challenges, verify } = parts;
  const nobody = anonymous(tenant);
  const ofConnections = new ConnectionTokens<Brought>();

  function admit(found: Known, shown: Presented, arrival: Arrival, needs: Needs) {
    const why = flaw(found.token, arrival, parts);
    if (why !== undefined) throw challenges.invalid(arrival, why, needs());
    const caller = found.callers[arrival.transport];
    if (arrival.transport === 'mcp' && !found.token.allScopes.has(mcpScope)) {
      throw challenges.refuse({ caller, arrival, operation: 'MCP', needs: needs() ?? [mcpScope] });
    }
    const { jkt } = found.token;
    if (jkt === undefined && shown.scheme === 'Bearer') return caller;
    return proven(found.token, shown, arrival).then(() => caller);
  }

  async function proven({ jkt }: AccessToken, shown: Presented, arrival: Arrival): Promise<void> {
    const { checkProof } = parts;
    if (jkt === undefined) throw challenges.invalid(arrival, 'it is bound to no key');
    if (shown.scheme !== 'DPoP' || !checkProof) {
      throw challenges.invalid(arrival, 'it is bound to a key, whose proof is missing');
    }
    await checkProof(arrival, shown.token, jkt);
  }

  function passed({ found, shown }: Brought, arrival: Arrival, needs: Needs) {
    if (revocations.isFresh) return admit(found, shown, arrival, needs);
    return revocations.follow().then(() => admit(found, shown, arrival, needs));
  }

  async function learn(shown: Presented, key: string, arrival: Arrival, needs: Needs) {
    try {
      const token = await verify(
        shown.token,
        false,
        arrival.address === undefined ? undefined : addressKey(arrival.address),
      );
      if (!revocations.isFresh) await revocations.follow();
      const found = { token, callers: callersOf(token, tenant), at: performance.now() };
      known.set(key, found);
      return await admit(found, shown, arrival, needs);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      throw challenges.invalid(arrival, error.message, needs());
    }
  }

  /** What the connection has brought before. */
  function recalled({ connection, headers }: Arrival): Brought | undefined {
    const { authorization } = headers;
    if (connection === undefined || typeof authorization !== 'string') return undefined;
    const brought = ofConnections.find(connection, authorization);
    if (!brought || performance.now() - brought.found.at >= knownMs) return undefined;
    return isDoubtful(brought.found.token) ? undefined : brought;
  }

  /** What some other connection has brought. */
  function remembered(arrival: Arrival, shown: Presented, key: string): Known | undefined {
    const { connection, headers } = arrival;
    const found = known.get(key);
    const { authorization } = headers;
    if (found && connection && typeof authorization === 'string') {
      ofConnections.keep(connection, authorization, { shown, found });
    }
    return found;
  }

  /** Whether its issuer has to be asked again. */
  const isDoubtful = ({ believedUntil }: AccessToken) =>
    believedUntil !== undefined && believedUntil <= parts.now();

  return (arrival, wanted) => {
    if (arrival.isLocal) return undefined;
    const needs = () => (arrival.transport === 'mcp' ? withMcp(wanted?.()) : wanted?.());
    requireNoneInAddress(arrival);
    const brought = recalled(arrival);
    if (brought) return passed(brought, arrival, needs);
    const shown = presentedToken(arrival);
    if (!shown) {
      if (!isRequired) return undefined;
      if (arrival.transport === 'mcp') throw challenges.missing(arrival, needs());
      return nobody[arrival.transport];
    }
    const key = `${tenant} ${hash('sha256', shown.token, 'base64url')}`;
    const found = remembered(arrival, shown, key);
    if (!found || isDoubtful(found.token)) return learn(shown, key, arrival, needs);
    return passed({ shown, found }, arrival, needs);
  };
}

/** Without it, nothing of MCP is there. */
const mcpScope = 'mcp.tools';

function withMcp(needs: readonly string[] = []): readonly string[] {
  return needs.includes(mcpScope) ? needs : [mcpScope, ...needs];
}

/** What is wrong with a token here and now. */
function flaw(
  token: AccessToken,
  { transport }: Arrival,
  { revocations, addresses, now }: AuthenticateParts,
): string | undefined {
  const at = now();
  if (token.expiresAt + clockSkewMs <= at) return 'it has expired';
  if (Math.max(token.issuedAt, token.notBefore ?? 0) - clockSkewMs > at)
    return 'it is not valid yet';
  if (transport !== 'mcp' && token.resource !== addresses.base()) {
    return 'it is meant for the MCP endpoint alone';
  }
  return revocations.has(token) ? 'it was revoked' : undefined;
}

function callersOf(token: AccessToken, tenant: string): Known['callers'] {
  const { subject, client, allScopes: scopes, registration, grant } = token;
  const caller = {
    ...{ tenant, subject, client, scopes },
    ...(registration && { registration }),
    ...(grant && { grant }),
  };
  return byTransport(caller);
}

function anonymous(tenant: string): Known['callers'] {
  const caller = { tenant, subject: 'anonymous', client: 'unknown', scopes: new Set<string>() };
  return byTransport({ ...caller, isAnonymous: true });
}

function byTransport(caller: Omit<Caller, 'transport'>): Known['callers'] {
  return {
    http: { ...caller, transport: 'http' },
    mcp: { ...caller, transport: 'mcp' },
    cli: { ...caller, transport: 'cli' },
  };
}
