import { ServiceError } from '#contract/errors';
import type { SurfaceCommand } from '#contract/surface/surface-module';
import type { Addresses } from '../addresses.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Place } from '../records/place.ts';
import { parseScope, type Scopes } from '../scopes/catalogue.ts';
import { issueAccessToken, type Minting } from '../tokens/issue-token.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { operator } from './operator.ts';

export interface DevelopmentTokenParts {
  readonly minting: Minting;
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly revocations: Pick<Revocations, 'requireOpen'>;
  readonly place: Pick<Place, 'store'>;
  readonly outbox: Outbox;
}

/** Who such a token speaks for. */
const subject = 'operator';
const client = 'terminal';
const mostMinutes = 1440;

/** Mint a token at the terminal, with exactly the scopes that are asked for. */
export function developmentToken(parts: DevelopmentTokenParts): SurfaceCommand {
  const { minting, addresses, scopes, revocations, place, outbox } = parts;
  return async (words, { scope = 'mcp.tools', resource: named, minutes = '60' }) => {
    if (words.length > 0) throw usage('token takes options alone: --scope, --resource, --minutes');
    const wanted = parseScope(scope);
    const unknown = scopes.unknownMessage(wanted);
    if (unknown !== undefined) throw usage(unknown);
    if (wanted.length === 0) throw usage('--scope names no scope');
    const lifetime = Number(minutes);
    if (!Number.isInteger(lifetime) || lifetime < 1 || lifetime > mostMinutes) {
      throw usage(`--minutes must be a whole number from 1 to ${mostMinutes}`);
    }
    const resource = resourceOf(addresses, named);
    await revocations.requireOpen();
    const token = await issueAccessToken(minting, {
      ...{ subject, client, scopes: wanted, resource, lifetimeMs: lifetime * 60_000 },
    });
    const payload = { jti: token.id, resource, scope: token.scope.slice(0, 2000) };
    const note = { action: 'TOKEN_ISSUED', actor: operator, subject: client, payload } as const;
    await place.store.transaction((tx) => outbox.add(note, tx));
    return token.access_token;
  };
}

/** The resource that is named, else the whole server: such a token is for trying out anything. */
function resourceOf(addresses: Addresses, named: string | undefined): string {
  try {
    const resource = named === undefined ? addresses.base() : addresses.resource(named);
    if (resource !== undefined) return resource;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw usage('set SERVICE_BASE_URL: with PORT=0 nobody knows where the server listens');
  }
  throw usage(`--resource must be ${addresses.base()} or ${addresses.mcp()}`);
}

/** What is typed wrong. */
export function usage(message: string): ServiceError {
  return new ServiceError('usage', 400, message);
}
