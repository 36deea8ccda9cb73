import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { OwnsToken } from '../clients/token-owner.ts';

export interface TokenHandlerParts {
  readonly revoke: (value: string, owns: OwnsToken) => Promise<void>;
  /** Whose tokens a request may revoke. @throws ServiceError `invalid_client` (401) */
  readonly ownerOf: (
    form: Readonly<Record<string, string>>,
    context: CallContext,
  ) => Promise<OwnsToken>;
  readonly introspect: (value: string) => Promise<JsonObject>;
  /** Whether a client of OAuth has proven who it is, and may ask. */
  readonly mayIntrospect?: (
    form: Readonly<Record<string, string>>,
    context: CallContext,
  ) => Promise<boolean>;
}

const secret = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Revocation and introspection of tokens. */
export function createTokenInquiries({
  revoke,
  ownerOf,
  introspect,
  mayIntrospect,
}: TokenHandlerParts): Pick<IdentityHandlers, 'revokeToken' | 'introspectToken'> {
  return {
    async revokeToken({ body, context }) {
      await revoke(body.token, await ownerOf(body, context));
      return { status: 200, headers: secret };
    },
    async introspectToken({ body, context }) {
      const { scopes } = context.caller;
      const holds = scopes === 'all' || scopes.has('admin:introspect');
      if (!holds && !(await mayIntrospect?.(body, context).catch(unlessUnknown))) {
        const message = 'a client, or a token with admin:introspect, has to ask';
        const headers = { 'www-authenticate': 'Basic realm="introspection", Bearer' };
        throw new ServiceError('invalid_client', 401, message, { headers });
      }
      return { status: 200, headers: secret, body: await introspect(body.token) };
    },
  };
}

/** A client that has not proven who it is hears in which ways it can (RFC 9110 section 15.5.2). */
function unlessUnknown(error: unknown): false {
  if (error instanceof ServiceError && error.status === 401) return false;
  throw error;
}
