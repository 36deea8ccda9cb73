import { ConfigError } from '#contract/config/config';
import type { House } from '#contract/house/house';
import type { IdentityConfig } from '../../../../generated/surfaces/identity/config.ts';
import { looksOwn } from '../secrets/secret.ts';
import type { AccessToken } from '../tokens/access-token.ts';
import { readCompactJws, unverifiedIssuer } from '../tokens/compact-jws.ts';
import {
  type ExternalParts,
  introspectExternalToken,
  verifyExternalToken,
} from './external-token.ts';
import { ExternalIntrospection } from './introspection.ts';

/** The access tokens of the identity provider of the operator. */
export interface ExternalTokens {
  /**
   * Verify a token that only that provider can have issued; nothing for all others. With
   * `takesExpired` nobody is asked, and opaque ones are not taken.
   *
   * @param network from where it comes
   * @throws InvalidToken
   * @throws ServiceError 503 where the provider is needed and cannot be asked
   */
  verify(token: string, takesExpired?: boolean, network?: string): Promise<AccessToken> | undefined;
}

type Settings = Pick<
  IdentityConfig,
  'tokenIssuer' | 'tokenIssuerUntyped' | 'tokenIssuerClientId' | 'tokenIssuerClientSecret'
>;

/**
 * Take the access tokens of `SERVICE_TOKEN_ISSUER`; nothing where there is none.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function createExternalTokens(
  settings: Settings,
  house: Pick<House, 'outbound' | 'log'>,
  parts: Pick<ExternalParts, 'addresses' | 'scopes' | 'now'>,
): ExternalTokens | undefined {
  requireWhole(settings);
  const { tokenIssuer: issuer, tokenIssuerUntyped: takesUntyped } = settings;
  const { tokenIssuerClientId: clientId, tokenIssuerClientSecret: clientSecret } = settings;
  if (issuer === undefined) return undefined;
  const { outbound, log } = house;
  const introspection =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : new ExternalIntrospection({ issuer, clientId, clientSecret, outbound, log, ...parts });
  const common = { issuer, takesUntyped, outbound, ...parts };
  return {
    verify(token, takesExpired = false, network) {
      const asking = introspection && { ask: (each: string) => introspection.ask(each, network) };
      const own = { ...common, introspection: asking };
      if (unverifiedIssuer(token) === issuer) return verifyExternalToken(token, own, takesExpired);
      if (!asking || takesExpired || looksOwn(token) || readCompactJws(token)) {
        return undefined;
      }
      return introspectExternalToken(token, { ...own, introspection: asking });
    },
  };
}

function requireWhole(settings: Settings): void {
  const { tokenIssuer, tokenIssuerClientId: id, tokenIssuerClientSecret: secret } = settings;
  const problem = (variable: string, expected: string) => new ConfigError([{ variable, expected }]);
  if (id !== undefined && tokenIssuer === undefined) {
    const why = 'because SERVICE_TOKEN_ISSUER_CLIENT_ID is set';
    throw problem('SERVICE_TOKEN_ISSUER', `an issuer, ${why}`);
  }
  if ((id === undefined) === (secret === undefined)) return;
  const [missing, present] = id === undefined ? ['ID', 'SECRET'] : ['SECRET', 'ID'];
  throw problem(
    `SERVICE_TOKEN_ISSUER_CLIENT_${missing}`,
    `a value, because SERVICE_TOKEN_ISSUER_CLIENT_${present} is set`,
  );
}
