import { request } from 'undici';
import { Browser } from './browser.ts';

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an agent knows of its registration. */
export interface Registered {
  readonly id: string;
  readonly claimToken: string;
  readonly assertion: string | undefined;
  readonly userCode: string | undefined;
  readonly link: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An agent that speaks to the server as the dialects of auth.md have it. */
export class Agent {
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Told> {
    const answer = await request(new URL(path, this.base), {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? JSON.parse(text) : { text },
    };
  }

  async register(body: object): Promise<Registered> {
    const told = await this.send('POST', '/agent/identity', body);
    if (told.status !== 200) throw new Error(JSON.stringify(told.body));
    const claim = (told.body['claim'] ?? {}) as Readonly<Record<string, string>>;
    return {
      id: String(told.body['registration_id']),
      claimToken: String(told.body['claim_token']),
      assertion: told.body['identity_assertion'] as string | undefined,
      userCode: claim['user_code'],
      link: claim['verification_uri'],
      body: told.body,
    };
  }

  claim(body: object, headers?: Readonly<Record<string, string>>): Promise<Told> {
    return this.send('POST', '/agent/identity/claim', body, headers);
  }

  view(claimToken: string, query = ''): Promise<Told> {
    const authorization = `Bearer ${claimToken}`;
    return this.send('GET', `/agent/identity/claim/view${query}`, undefined, { authorization });
  }

  complete(claimToken: string, userCode: string): Promise<Told> {
    const body = { claim_token: claimToken, user_code: userCode };
    return this.send('POST', '/agent/identity/claim/complete', body);
  }

  async token(form: Readonly<Record<string, string>>): Promise<Told> {
    const answer = await request(
      new URL('/.well-known/oauth-authorization-server/token', this.base),
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      },
    );
    const body = (await answer.body.json()) as Told['body'];
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  exchange(assertion: unknown): Promise<Told> {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    return this.token({ grant_type, assertion: String(assertion), resource: this.base });
  }

  pollToken(claimToken: string): Promise<Told> {
    const grant_type = 'urn:workos:agent-auth:grant-type:claim';
    return this.token({ grant_type, claim_token: claimToken, resource: this.base });
  }

  /** Who the server says that a token is. */
  whoami(token: unknown): Promise<Told> {
    return this.send('GET', '/agent/identity', undefined, { authorization: `Bearer ${token}` });
  }
}

/** A person who has signed in and sees the page of a link. */
export async function personAt(base: string, link: string, email: string): Promise<Browser> {
  const browser = new Browser(base);
  await browser.open(link);
  if (browser.page.text.includes('name="email"')) await browser.send('/sign-in', { email });
  return browser;
}

/** The code that a page shows. */
export function codeOn({ page }: Browser): string {
  const code = /class="code"[^>]*>([^<]+)</.exec(page.text)?.[1];
  if (code === undefined) throw new Error(`there is no code on ${page.text}`);
  return code;
}
