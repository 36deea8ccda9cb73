import { request } from 'undici';

export interface Shown {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What a person does with a browser, without scripts: opens links, keeps cookies, sends forms. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  /** The page that is open. */
  page: Shown = { status: 0, url: '', headers: {}, text: '' };

  constructor(base: string) {
    this.#base = base;
  }

  /** Open a page, and go on to where it leads as long as that is on this server. */
  open(url: string): Promise<Shown> {
    return this.#go('GET', new URL(url, this.page.url || this.#base));
  }

  /** Press a button of the form whose action ends with `action`, with these entries. */
  send(action: string, entries: Readonly<Record<string, string>> = {}): Promise<Shown> {
    const form = this.formOf(action);
    const body = new URLSearchParams({ ...form.fields, ...entries }).toString();
    return this.#go('POST', form.url, body);
  }

  /** The form of the open page that is sent to `action`, with its hidden fields. */
  formOf(action: string): { readonly url: URL; readonly fields: Record<string, string> } {
    for (const [, attributes = '', inner = ''] of this.page.text.matchAll(
      /<form([^>]*)>([\s\S]*?)<\/form>/g,
    )) {
      const target = /action="([^"]*)"/.exec(attributes)?.[1] ?? this.page.url;
      const url = new URL(unescaped(target), this.page.url);
      if (!url.pathname.endsWith(action)) continue;
      const fields: Record<string, string> = {};
      for (const [input] of inner.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        const name = /name="([^"]*)"/.exec(input)?.[1];
        if (name) fields[name] = unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? '');
      }
      return { url, fields };
    }
    throw new Error(`${this.page.url} has no form for ${action}:\n${this.page.text}`);
  }

  /** Send something that no page of ours has made. */
  post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    return this.#go('POST', new URL(path, this.#base), body, headers);
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  async #go(
    method: 'GET' | 'POST',
    url: URL,
    body?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Shown> {
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => isWithin(url.pathname, path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const answer = await request(url, {
      method,
      headers: {
        accept: 'text/html,*/*;q=0.8',
        ...(cookie && { cookie }),
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: url.origin,
          'sec-fetch-site': 'same-origin',
        }),
        ...more,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    const { statusCode: status, headers } = answer;
    const { location } = headers;
    const text = await answer.body.text();
    this.page = { status, url: url.href, headers, text };
    if (status !== 303 && status !== 302) return this.page;
    const target = new URL(String(location), url);
    return this.#go('GET', target);
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const path = attributes.find((each) => each.startsWith('Path='))?.slice(5) ?? '/';
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, { value: pair.slice(pair.indexOf('=') + 1), path });
  }
}

/** RFC 6265 section 5.1.4. */
function isWithin(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return (
    cookiePath.endsWith('/') ||
    ['', '/'].includes(path.slice(cookiePath.length, cookiePath.length + 1))
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
