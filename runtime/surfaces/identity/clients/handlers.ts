import { ServiceError } from '#contract/errors';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { MetadataError } from './client-metadata.ts';
import type { Clients } from './clients.ts';

interface Parts {
  readonly clients: Clients;
  /** Whether clients may register themselves (SERVICE_ENABLE_CLIENT_REGISTRATION). */
  readonly isOpen: boolean;
}

/** Clients that register themselves (RFC 7591): each is told all that is kept of it (section 3.2.1). */
export function createClientHandlers(parts: Parts): Pick<IdentityHandlers, 'registerClient'> {
  const { clients, isOpen } = parts;
  return {
    async registerClient({ body }) {
      if (!isOpen) {
        const message =
          'clients do not register themselves here; they may use the address of a document as client_id';
        throw new ServiceError('access_denied', 403, message);
      }
      try {
        const { client, secret, createdAt } = await clients.register(body);
        const { id, name, redirectUris, method, grantTypes, jwks, jwksUri } = client;
        const { wantsDpop, softwareId, softwareVersion } = client;
        return {
          status: 201,
          headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
          body: {
            client_id: id,
            client_id_issued_at: Math.floor(createdAt / 1000),
            ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
            ...(name !== '' && { client_name: name }),
            redirect_uris: [...redirectUris],
            token_endpoint_auth_method: method,
            grant_types: [...grantTypes],
            response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
            ...(jwks && { jwks: { keys: jwks.keys.map((key) => ({ ...key })) } }),
            ...(jwksUri !== undefined && { jwks_uri: jwksUri }),
            ...(wantsDpop && { dpop_bound_access_tokens: true }),
            ...(softwareId !== '' && { software_id: softwareId }),
            ...(softwareVersion !== undefined && { software_version: softwareVersion }),
          },
        };
      } catch (error) {
        if (error instanceof MetadataError) throw new ServiceError(error.code, 400, error.message);
        throw error;
      }
    },
  };
}
