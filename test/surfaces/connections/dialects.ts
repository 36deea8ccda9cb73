/** A token request as a vendor sees it. */
export interface TokenRequest {
  readonly contentType: string;
  readonly authorization: string;
  /** Members of its form or its JSON object. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What an authorization server of the standard answers. */
export interface StandardAnswer {
  readonly error?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
}

/** What a vendor does in its own way. */
export interface Dialect {
  readonly id: string;
  /** Ids of schemes for OAuth. */
  readonly scheme: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly pkce: boolean;
  /** Scopes that the authorization request names, as a list. */
  scopesOf(query: URLSearchParams): readonly string[];
  /** What is wrong with a token request, where something is. */
  flawOf(
    request: TokenRequest,
    client: { readonly id: string; readonly secret: string },
  ): string | undefined;
  answer(answer: StandardAnswer): {
    readonly status: number;
    readonly type: string;
    readonly text: string;
  };
  /** The tool that says who one is there, its path, and what the vendor answers. */
  readonly tool: string;
  readonly path: string;
  whoami(account: string): unknown;
  /** What the vendor answers to a token that is worth nothing. */
  readonly refusal: { readonly status: number; readonly body: unknown };
  /** How a token is given back; nothing where it cannot be. */
  revokedIn?(request: {
    readonly method: string;
    readonly path: string;
    readonly authorization: string;
    readonly text: string;
  }): string | undefined;
}

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const json = (value: unknown, status = 200) => ({
  status,
  type: 'application/json',
  text: JSON.stringify(value),
});

function unknownIn(fields: TokenRequest['fields'], known: readonly string[]): string | undefined {
  const other = Object.keys(fields).filter((name) => !known.includes(name));
  return other.length === 0 ? undefined : `unknown parameters ${other.join()}`;
}

/** It answers with a form and with status 200, also where something is wrong. */
const github: Dialect = {
  ...{ id: 'github', scheme: 'token', pkce: true },
  ...{ authorizePath: '/login/oauth/authorize', tokenPath: '/login/oauth/access_token' },
  scopesOf: (query) => (query.get('scope') ?? '').split(' '),
  flawOf: ({ fields }, { id, secret }) =>
    fields['client_id'] === id && fields['client_secret'] === secret ? undefined : 'client',
  answer({ error, access_token = '', refresh_token = '', expires_in = 0, scope = '' }) {
    const codes: Readonly<Record<string, string>> = { invalid_grant: 'bad_refresh_token' };
    const fields: Record<string, string> = error
      ? { error: codes[error] ?? error }
      : {
          access_token,
          refresh_token,
          expires_in: String(expires_in),
          scope,
          token_type: 'bearer',
        };
    const text = new URLSearchParams(fields).toString();
    return { status: 200, type: 'application/x-www-form-urlencoded', text };
  },
  ...{ tool: 'github_users_get_me', path: '/user' },
  whoami: (login) => ({ login, id: 1 }),
  refusal: { status: 401, body: { message: 'Bad credentials' } },
  revokedIn({ method, path, authorization, text }) {
    if (method !== 'DELETE' || path !== '/applications/tools-github/token') return undefined;
    if (authorization !== basic('tools-github', encodeURIComponent('secret of tools-github')))
      return undefined;
    return (JSON.parse(text) as { access_token?: string }).access_token;
  },
};

/** A token of the person stands apart; what is wrong comes with status 200. */
const slack: Dialect = {
  ...{ id: 'slack', scheme: 'token', pkce: true },
  ...{ authorizePath: '/oauth/v2/authorize', tokenPath: '/api/oauth.v2.access' },
  scopesOf: (query) => (query.has('scope') ? [] : (query.get('user_scope') ?? '').split(',')),
  flawOf: ({ authorization }, { id, secret }) =>
    authorization === basic(id, encodeURIComponent(secret)) ? undefined : 'invalid_client_id',
  answer({ error, access_token, refresh_token, expires_in, scope }) {
    if (error)
      return json({
        ok: false,
        error: error === 'invalid_grant' ? 'invalid_refresh_token' : error,
      });
    const token = { access_token, refresh_token, expires_in, scope, token_type: 'user' };
    return json({
      ok: true,
      team: { id: 'T1', name: 'Home & <Co>' },
      authed_user: { id: 'U1', ...token },
    });
  },
  ...{ tool: 'slack_auth_test', path: '/auth.test' },
  whoami: (user) => ({ ok: true, user, user_id: 'U1' }),
  refusal: { status: 200, body: { ok: false, error: 'token_revoked' } },
  revokedIn: ({ method, path, authorization }) =>
    method === 'POST' && path === '/api/auth.revoke'
      ? authorization.replace('Bearer ', '')
      : undefined,
};

/** JSON in and out, Basic, and nothing that it does not know. */
const notion: Dialect = {
  ...{ id: 'notion', scheme: 'integration', pkce: false },
  ...{ authorizePath: '/v1/oauth/authorize', tokenPath: '/v1/oauth/token' },
  scopesOf: (query) =>
    query.get('owner') === 'user' && !query.has('code_challenge') ? ['things'] : [],
  flawOf({ contentType, authorization, fields }, { id, secret }) {
    if (contentType !== 'application/json') return 'content type';
    if (authorization !== basic(id, encodeURIComponent(secret))) return 'client';
    return unknownIn(fields, ['grant_type', 'code', 'redirect_uri', 'refresh_token']);
  },
  answer({ error, access_token, refresh_token, expires_in }) {
    if (error) return json({ error, error_description: 'no' }, 400);
    return json({
      access_token,
      refresh_token,
      expires_in,
      token_type: 'bearer',
      workspace_name: 'Home',
    });
  },
  ...{ tool: 'notion_users_me', path: '/v1/users/me' },
  whoami: (name) => ({
    object: 'user',
    id: '1f2a6c3e-5b7d-4e90-9a41-3c8de5f60b12',
    name,
    type: 'bot',
  }),
  refusal: {
    status: 401,
    body: { object: 'error', code: 'unauthorized', message: 'API token is invalid.' },
  },
  revokedIn({ method, path, text }) {
    if (method !== 'POST' || path !== '/v1/oauth/revoke') return undefined;
    return (JSON.parse(text) as { token?: string }).token;
  },
};

/** Commas between scopes, a list of them in the answer, and an actor. */
const linear: Dialect = {
  ...{ id: 'linear', scheme: 'access_token', pkce: true },
  ...{ authorizePath: '/oauth/authorize', tokenPath: '/oauth/token' },
  scopesOf: (query) => (query.get('actor') === 'user' ? (query.get('scope') ?? '').split(',') : []),
  flawOf: ({ fields }, { id, secret }) =>
    fields['client_id'] === id && fields['client_secret'] === secret ? undefined : 'client',
  answer({ error, scope = '', ...rest }) {
    if (error) return json({ error }, 400);
    return json({ ...rest, token_type: 'Bearer', scope: scope.split(' ') });
  },
  ...{ tool: 'linear_viewer', path: '/graphql' },
  whoami: (name) => ({ data: { viewer: { id: '1', name } } }),
  refusal: {
    status: 401,
    body: { errors: [{ message: 'no', extensions: { code: 'AUTHENTICATION_ERROR' } }] },
  },
  revokedIn: ({ method, path, authorization }) =>
    method === 'POST' && path === '/oauth/revoke'
      ? authorization.replace('Bearer ', '')
      : undefined,
};

/** The secret is a user without a password; what is not known is refused; nothing says when it ends. */
const stripe: Dialect = {
  ...{ id: 'stripe', scheme: 'secret_key', pkce: false },
  ...{ authorizePath: '/oauth/v2/authorize', tokenPath: '/v1/oauth/token' },
  scopesOf: (query) => (query.has('code_challenge') ? [] : ['things']),
  flawOf({ authorization, fields }, { secret }) {
    if (authorization !== basic(secret, '')) return 'client';
    return unknownIn(fields, ['grant_type', 'code', 'refresh_token']);
  },
  answer({ error, access_token, refresh_token }) {
    if (error) return json({ error, error_description: 'no' }, 400);
    return json({ access_token, refresh_token, token_type: 'bearer', stripe_user_id: 'acct_1' });
  },
  ...{ tool: 'stripe_balance_get', path: '/v1/balance' },
  whoami: (account) => ({ object: 'balance', available: [], livemode: false, account }),
  refusal: { status: 401, body: { error: { message: 'Invalid API Key provided' } } },
};

/** The five vendors with which people connect. */
export const dialects: readonly Dialect[] = [github, slack, notion, linear, stripe];
