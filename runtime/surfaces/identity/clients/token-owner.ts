import type { CallContext } from '#contract/caller';
import type { AuthenticateClient } from './authenticate-client.ts';
import { MetadataError } from './client-metadata.ts';
import { readClientProof } from './client-proof.ts';
import type { Clients } from './clients.ts';

type Form = Readonly<Record<string, string>>;

/** Whether a token that was issued to this client is one of whoever sends the request. */
export type OwnsToken = (client: string) => Promise<boolean>;

interface OwnerParts {
  readonly clients: Pick<Clients, 'find'>;
  readonly authenticateClient: AuthenticateClient;
}

/**
 * Make what says whose tokens a request may revoke (RFC 7009 section 2.1): a client of OAuth has to
 * prove itself as it is registered, and has a say over its own tokens alone. For all others, agents
 * above all, it is enough to have the token. Credentials that are wrong are refused in any case.
 *
 * Both steps @throws ServiceError `invalid_client` (401), `invalid_request`
 */
export function tokenOwners({ clients, authenticateClient }: OwnerParts) {
  return async (form: Form, { http }: CallContext): Promise<OwnsToken> => {
    const authorization = http?.headers['authorization'];
    const prove = () => authenticateClient(form, authorization);
    const isProving = readClientProof(form, authorization).method !== 'none';
    const proven = isProving ? await prove() : undefined;
    return async (owner) => {
      if (!(await isKnown(clients, owner))) return true;
      const { id } = proven ?? (await prove());
      return id === owner;
    };
  };
}

/** A client whose document is gone can prove nothing any more: its tokens can still be ended. */
async function isKnown(clients: Pick<Clients, 'find'>, id: string): Promise<boolean> {
  try {
    return (await clients.find(id)) !== undefined;
  } catch (error) {
    if (error instanceof MetadataError) return false;
    throw error;
  }
}
