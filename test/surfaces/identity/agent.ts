import assert from 'node:assert/strict';

/** What came back, with its body where that is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says is looked at here
  readonly json: any;
  readonly text: string;
}

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export async function ask(url: string, init: Init = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const { status, headers } = answer;
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}

export function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const type = { 'content-type': 'application/json' };
  return ask(url, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) });
}

export function postForm(
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return ask(url, { method: 'POST', headers, body: new URLSearchParams(form) });
}

export const tokenPath = '/.well-known/oauth-authorization-server/token';
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Register an agent for which nobody vouches. */
export async function register(base: string, wishes: object = {}) {
  const answer = await post(`${base}/agent/identity`, { type: 'anonymous', ...wishes });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export function exchange(
  base: string,
  assertion: string,
  more: Readonly<Record<string, string>> = {},
) {
  return postForm(`${base}${tokenPath}`, { grant_type: jwtBearer, assertion, ...more });
}

/** An access token of a new registration. */
export async function freshToken(base: string, more: Readonly<Record<string, string>> = {}) {
  const registration = await register(base);
  const { json, text } = await exchange(base, registration.identity_assertion, more);
  assert.ok(json.access_token, text);
  return { registration, token: String(json.access_token) };
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** Call a method of MCP without a session. */
export function rpc(
  base: string,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const accept = { accept: 'application/json, text/event-stream' };
  return post(`${base}/mcp`, body, { ...accept, ...headers });
}
