import { ConfigError } from '#contract/config/config';
import type { House } from '#contract/house/house';
import type { IdentityConfig } from '../../../../generated/surfaces/identity/config.ts';

/** How people sign in; `none` where nobody can. */
export type ClaimAuth = NonNullable<IdentityConfig['claimAuth']>;

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * How people sign in here. Where nobody has chosen, whoever opens pages on this very machine may say
 * who they are, outside of production; what it depends on is known once the server listens.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function chooseClaimAuth(
  { claimAuth, oidcIssuer, oidcClientId, smtpUrl }: IdentityConfig,
  { isProduction, address }: Pick<House, 'isProduction' | 'address'>,
): () => ClaimAuth {
  const problem = (variable: string, expected: string) => new ConfigError([{ variable, expected }]);
  if (claimAuth === 'dev' && isProduction) {
    throw problem('SERVICE_CLAIM_AUTH', 'oidc, email or none where NODE_ENV is production');
  }
  if (claimAuth === 'email' && isProduction && smtpUrl === undefined) {
    throw problem('SERVICE_SMTP_URL', 'a mail server, because SERVICE_CLAIM_AUTH is email');
  }
  if (claimAuth === 'oidc') {
    const why = 'because SERVICE_CLAIM_AUTH is oidc';
    if (oidcIssuer === undefined) throw problem('SERVICE_OIDC_ISSUER', `an issuer, ${why}`);
    if (oidcClientId === undefined) throw problem('SERVICE_OIDC_CLIENT_ID', `an id, ${why}`);
  }
  if (claimAuth !== undefined) return () => claimAuth;
  if (isProduction) return () => 'none';
  return () => {
    const host = URL.parse(address.of('/') ?? '')?.hostname;
    return host !== undefined && loopback.test(host) ? 'dev' : 'none';
  };
}
