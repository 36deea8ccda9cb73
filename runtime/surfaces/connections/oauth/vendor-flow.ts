import type { Configuration, CustomFetch } from 'openid-client';
import type { ConnectWay } from '#contract/connect/connectable';
import type { OAuthConnect } from '#contract/connect/ways';
import type { House } from '#contract/house/house';
import { longestAccount, mostBytes, vendorMs } from '../numbers.ts';
import { basicOf } from './basic.ts';
import {
  accountIn,
  codeOf,
  type Translated,
  translateAnswer,
  translateRequest,
} from './dialect.ts';
import { FlowError } from './flow-error.ts';

export type OAuthWay = Extract<ConnectWay, { kind: 'oauth2' }>;

/** What a vendor has given. */
export interface VendorTokens {
  readonly access: string;
  readonly refresh?: string | undefined;
  /** Milliseconds since the epoch; absent where it does not expire. */
  readonly expiresAt?: number | undefined;
  readonly scopes: string;
  /** As the vendor calls the account; empty where it does not. */
  readonly account: string;
}

type Needs = Pick<House, 'outbound' | 'now'>;

/**
 * Where to send a browser, and the verifier that has to come along with what comes back; empty where
 * the vendor knows no PKCE.
 */
export async function beginFlow(
  way: OAuthWay,
  needs: Needs,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string },
): Promise<{ readonly url: string; readonly verifier: string }> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } =
    await import('openid-client');
  const { flow } = way;
  const verifier = flow.pkce ? randomPKCECodeVerifier() : '';
  const { configuration } = await configure(way, needs);
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    state,
    ...flow.parameters,
    ...(flow.scopes.length > 0 && {
      [flow.scopeParameter]: flow.scopes.join(flow.scopeSeparator),
    }),
    ...(flow.pkce && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  });
  return { url: url.href, verifier };
}

/**
 * Redeem what the browser has brought back (RFC 6749 section 4.1.3, RFC 9207).
 *
 * @param arrived the redirect URL with what the vendor has added
 * @throws FlowError
 */
export async function finishFlow(
  way: OAuthWay,
  needs: Needs,
  arrived: URL,
  { state, verifier }: { readonly state: string; readonly verifier: string },
): Promise<VendorTokens> {
  const { authorizationCodeGrant } = await import('openid-client');
  const exchange = await configure(way, needs);
  return settle(way.flow, needs, exchange, () =>
    authorizationCodeGrant(exchange.configuration, arrived, {
      expectedState: state,
      ...(verifier !== '' && { pkceCodeVerifier: verifier }),
    }),
  );
}

/** @throws FlowError */
export async function refreshFlow(
  way: OAuthWay,
  needs: Needs,
  refreshToken: string,
): Promise<VendorTokens> {
  const { refreshTokenGrant } = await import('openid-client');
  const exchange = await configure(way, needs);
  return settle(way.flow, needs, exchange, () =>
    refreshTokenGrant(exchange.configuration, refreshToken),
  );
}

interface Exchange {
  readonly configuration: Configuration;
  /** What the vendor has answered, as it came. */
  raw: unknown;
  /** Whether it was asked at all. */
  isSent: boolean;
}

async function configure({ flow, client }: OAuthWay, { outbound }: Needs): Promise<Exchange> {
  const { allowInsecureRequests, Configuration, customFetch } = await import('openid-client');
  const configuration = new Configuration(
    {
      issuer: flow.issuer ?? new URL(flow.authorizeUrl).origin,
      authorization_endpoint: flow.authorizeUrl,
      token_endpoint: flow.tokenUrl,
    },
    client.id,
    undefined,
    await authenticationOf(flow, client.secret),
  );
  const exchange: Exchange = { configuration, raw: undefined, isSent: false };
  // The way to strangers decides whether http is taken at all.
  if (flow.tokenUrl.startsWith('http:')) allowInsecureRequests(configuration);
  const send: CustomFetch = async (url, { headers, body, signal }) => {
    exchange.isSent = true;
    const form = new URLSearchParams(String(body));
    const { body: text, contentType } = translateRequest(flow, form);
    const answer = await outbound.fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        ...lowerCase(flow.tokenHeaders),
        'content-type': contentType,
      },
      body: text,
      ...(signal && { signal }),
      maxBytes: mostBytes,
      timeoutMs: vendorMs,
    });
    // What may pass is no word of the vendor on what was brought to it.
    if (answer.status >= 500 || answer.status === 429) {
      throw new FlowError('failed', `the token endpoint answered ${answer.status}`);
    }
    const told = translateAnswer(flow, answer.status, new TextDecoder().decode(answer.body));
    exchange.raw = told.raw;
    return Response.json(quotable(told.body, secretsOf(form, headers)), { status: told.status });
  };
  Object.assign(configuration, { [customFetch]: send });
  return exchange;
}

/** The same without what was sent, which some repeat in the place of a code; `invalid_grant` is one. */
function quotable(body: Translated['body'], secrets: readonly string[]): Translated['body'] {
  const { error } = body;
  if (typeof error !== 'string' || error === 'invalid_grant') return body;
  return secrets.some((each) => error.includes(each)) ? { error: 'repeated_credential' } : body;
}

/** What a token request brings that no log may hold. */
function secretsOf(form: URLSearchParams, headers: Readonly<Record<string, string>>) {
  const names = ['client_secret', 'code', 'code_verifier', 'refresh_token'];
  const basic = headers['authorization']?.replace(/^Basic |=+$/g, '') ?? '';
  return [...names.map((name) => form.get(name) ?? ''), basic].filter((secret) => secret !== '');
}

/**
 * How this server proves who it is. Basic leaves unreserved characters as they are: vendors that do
 * not decode what RFC 6749 section 2.3.1 wants encoded still read the ids and secrets that they make.
 */
async function authenticationOf({ clientAuth }: OAuthConnect, secret: string) {
  const { ClientSecretPost } = await import('openid-client');
  if (clientAuth === 'post') return ClientSecretPost(secret);
  return (
    _server: unknown,
    { client_id }: { readonly client_id: string },
    _body: URLSearchParams,
    headers: Headers,
  ) => {
    headers.set('authorization', basicOf(clientAuth, { id: client_id, secret }));
  };
}

interface Granted {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
}

async function settle(
  flow: OAuthConnect,
  { now }: Needs,
  exchange: Exchange,
  grant: () => Promise<Granted>,
): Promise<VendorTokens> {
  try {
    const { access_token, refresh_token, expires_in, scope = '' } = await grant();
    const lifetimeMs = expires_in === undefined ? flow.lifetimeMs : expires_in * 1000;
    return {
      access: access_token,
      refresh: refresh_token,
      expiresAt: lifetimeMs === undefined ? undefined : now() + lifetimeMs,
      scopes: scope,
      account: accountIn(exchange.raw, flow.accountAt, longestAccount),
    };
  } catch (error) {
    throw await faultOf(error, exchange);
  }
}

async function faultOf(error: unknown, { isSent }: Exchange): Promise<FlowError> {
  if (error instanceof FlowError) return error;
  const inner = error instanceof Error ? error.cause : undefined;
  if (inner instanceof FlowError) return inner;
  const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client');
  if (error instanceof ResponseBodyError) {
    const fault = error.error === 'invalid_grant' ? 'refused' : 'failed';
    return new FlowError(fault, `the vendor answered ${error.error}`, error);
  }
  if (error instanceof AuthorizationResponseError) {
    return new FlowError('refused', `the vendor sent back ${codeOf(error.error)}`, error);
  }
  const message = error instanceof Error ? error.message : String(error);
  // Before it was asked, what the browser has brought was found not to be its answer.
  return new FlowError(isSent ? 'failed' : 'foreign', message, error);
}

function lowerCase(headers: OAuthConnect['tokenHeaders'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
