import { parseDuration } from '#contract/config/switch';
import type { ConnectWays, OAuthConnect, OAuthRevoke } from '#contract/connect/ways';
import { isSafePattern } from '../../read/text/safe-pattern.ts';
import type { CuratedAuth, CuratedOAuth, Curation } from '../shape/curation.ts';
import { present } from '../texts/present.ts';
import type { Report } from '../texts/report.ts';
import { pathReader } from './answer/response-plan.ts';

/** How a person gets a credential that travels as `auth` says; `undefined` where they cannot. */
export function connectWays(
  { id = '', connect }: CuratedAuth,
  pointer: string,
  report: Report,
): ConnectWays | undefined {
  if (connect === undefined) return undefined;
  const { oauth2, key } = connect;
  return {
    id,
    ...(oauth2 && { oauth2: oauthOf(oauth2, `${pointer}/connect/oauth2`, report) }),
    ...(key && { key }),
  };
}

function oauthOf(flow: CuratedOAuth, pointer: string, report: Report): OAuthConnect {
  const read = pathReader(report, pointer);
  const { revoke } = flow;
  return {
    authorizeUrl: flow.authorize_url,
    tokenUrl: flow.token_url,
    clientId: flow.client_id,
    clientSecret: flow.client_secret,
    clientAuth: flow.client_auth ?? 'basic',
    pkce: flow.pkce ?? true,
    scopes: flow.scopes ?? [],
    scopeParameter: flow.scope_parameter ?? 'scope',
    scopeSeparator: flow.scope_separator ?? ' ',
    tokenBody: flow.token_body ?? 'form',
    ...present<OAuthConnect>({
      issuer: flow.issuer,
      parameters: flow.parameters,
      tokenHeaders: flow.token_headers,
      omit: flow.omit,
      tokenAt: read(flow.token_at, '/token_at'),
      accountAt: read(flow.account_at, '/account_at'),
      lifetimeMs: flow.lifetime === undefined ? undefined : parseDuration(flow.lifetime),
      revoke: revoke && revokeOf(revoke),
    }),
  };
}

function revokeOf(revoke: Pick<OAuthRevoke, 'url'> & Partial<OAuthRevoke>): OAuthRevoke {
  const { url, method = 'POST', by = 'client', body = 'form', parameter = 'token' } = revoke;
  return { url, method, by, body, parameter, ...(revoke.ends && { ends: revoke.ends }) };
}

/** Check how people connect (P038). */
export function checkConnect({ auth, verify, self_hosted }: Curation, report: Report): void {
  const ids = new Set<string>();
  for (const [index, { id, type, env = [], connect, ...keys }] of auth.entries()) {
    if (connect === undefined) continue;
    const at = `/auth/${index}`;
    const wrong = (pointer: string, message: string, help: string) =>
      report.curation('P038', `${at}${pointer}`, message, { help });
    if (type === 'none')
      wrong('/connect', 'nothing is connected where nothing is sent', 'remove it');
    if (keys.headers !== undefined || keys.query !== undefined) {
      const message = 'keys of the operator come with it, which are not those of other people';
      wrong('/connect', message, 'remove it');
    }
    if (id !== undefined && ids.has(id)) {
      wrong('/id', `"${id}" is the id of an earlier entry`, 'give each entry an id of its own');
    }
    ids.add(id ?? '');
    const { oauth2, key } = connect;
    for (const name of ['authorize_url', 'token_url'] as const) {
      const url = oauth2?.[name];
      if (url === undefined || url.startsWith('https:') || self_hosted) continue;
      wrong(`/connect/oauth2/${name}`, `${url} has no TLS`, 'use https');
    }
    for (const name of ['client_id', 'client_secret'] as const) {
      const variable = oauth2?.[name];
      if (variable === undefined || !env.includes(variable)) continue;
      const message = `${variable} is the variable of the operator's own credential`;
      wrong(`/connect/oauth2/${name}`, message, 'name another one');
    }
    if (key === undefined) continue;
    if (verify === undefined) {
      wrong('/connect/key', 'nothing shows whether a pasted key works', 'add verify');
    }
    if (key.pattern !== undefined && !isSafePattern(key.pattern)) {
      wrong('/connect/key/pattern', 'the pattern may run for ages', 'write a simpler one');
    }
  }
}
