import assert from 'node:assert/strict';
import { modern } from '../../runtime/mcp/rpc.ts';
import type { Browser } from '../identity/browser.ts';
import { Agent, codeOn, personAt } from '../identity/claiming-agent.ts';

/** What a tool gave, as far as these tests look at it. */
export interface Result {
  readonly resultType?: string;
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>> & {
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly connect_url?: string;
      readonly claim_url?: string;
    };
  };
  readonly inputRequests?: Readonly<
    Record<string, { readonly params: { readonly mode: string; readonly url: string } }>
  >;
}

/** An agent that this person has claimed, with a token for the tools of some vendors. */
export async function agentOf(base: string, email: string, vendors: readonly string[]) {
  const agent = new Agent(base);
  const rights = vendors.flatMap((id) => [`provider:${id}:read`, `provider:${id}:write`]);
  const { claimToken } = await agent.register({
    ...{ type: 'anonymous', client_name: 'Helper', scopes: ['mcp.tools', ...rights] },
  });
  const { body } = await agent.claim({ claim_token: claimToken, login_hint: email });
  const { verification_uri: link = '' } = body['attempt'] as Record<string, string>;
  const person = await personAt(base, link, email);
  await person.send('/agent/claim/confirm');
  const done = await agent.complete(claimToken, codeOn(person));
  assert.equal(done.status, 200, JSON.stringify(done.body));
  const { body: issued } = await agent.exchange(done.body['identity_assertion']);
  return { person, token: String(issued['access_token']) };
}

/** Call a tool as a client that opens pages, or does not. */
export async function call(
  base: string,
  token: string | undefined,
  name: string,
  { opensPages = false, more = {}, args = {} }: CallOptions = {},
): Promise<Result> {
  const elicitation = opensPages ? { url: {} } : undefined;
  const _meta = {
    'io.modelcontextprotocol/clientCapabilities': { ...(elicitation && { elicitation }) },
    'io.modelcontextprotocol/clientInfo': { name: 'Some client', version: '1' },
  };
  const params = { name, arguments: args, ...more };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { body } = await modern(
    new URL('/mcp', base),
    { method: 'tools/call', params, _meta },
    headers,
  );
  assert.ok(body.result, JSON.stringify(body.error));
  return body.result as unknown as Result;
}

interface CallOptions {
  readonly opensPages?: boolean;
  readonly more?: object;
  readonly args?: object;
}

/** Where a person connects, as an error says it. */
export function connectUrlIn(result: Result): string {
  const url = result.structuredContent?.error?.connect_url;
  assert.ok(url !== undefined, JSON.stringify(result));
  return url;
}

/** Go to the vendor and come back, from the page at `url`. */
export async function consentAt(person: Browser, url: string, id: string): Promise<Browser> {
  const shown = await person.open(url);
  assert.equal(shown.status, 200, shown.text);
  await person.send(`/connect/${id}`);
  return person;
}

/** The address to which a vendor sends the browser, which is not opened; its cookie is the fragment. */
export async function callbackFor(person: Browser, id: string): Promise<URL> {
  await person.open(`/connect/${id}`);
  const { url, fields } = person.formOf(`/connect/${id}`);
  const cookie = `session=${person.cookie('session')}; form=${person.cookie('form')}`;
  const headers = { cookie, origin: url.origin, 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams(fields);
  let answer = await fetch(url, { method: 'POST', redirect: 'manual', headers, body });
  const [, own = ''] = /connect=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  const jar = new Map<string, string>();
  for (let hops = 0; hops < 10; hops += 1) {
    const target = new URL(String(answer.headers.get('location')), answer.url);
    if (target.pathname.endsWith('/callback')) {
      target.hash = own;
      return target;
    }
    const sent = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    answer = await fetch(target, { redirect: 'manual', headers: { cookie: sent } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
  }
  return assert.fail('the vendor leads nowhere');
}
