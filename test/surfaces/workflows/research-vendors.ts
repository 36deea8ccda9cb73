import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '#contract/json';

/** A request as it came in. */
interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** What the vendors document that they answer. */
function documented(vendor: string, fixture: string): Json {
  const url = new URL(
    `../../../specs/providers/${vendor}/fixtures/${fixture}.json`,
    import.meta.url,
  );
  return (JSON.parse(readFileSync(url, 'utf8')) as { response: { body: Json } }).response.body;
}

/** arXiv, Crossref and Notion on the loopback interface, as their documents show them. */
export class ResearchVendors {
  readonly asked: Asked[] = [];
  /** Papers that arXiv has, and works that Crossref has. */
  papers = 3;
  works = 3;
  readonly #server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://vendor');
    this.asked.push({
      path,
      query: Object.fromEntries(searchParams),
      body: text === '' ? null : (JSON.parse(text) as Json),
    });
    if (path.endsWith('/query')) {
      response.writeHead(200, { 'content-type': 'application/atom+xml; charset=utf-8' });
      response.end(this.#feed());
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      const page = () => documented('notion', 'notion_pages_create');
      response.end(JSON.stringify(path.endsWith('/works') ? this.#found() : page()));
    }
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The feed of the document with as many entries as there are papers, each with its number. */
  #feed(): string {
    const feed = String(documented('arxiv', 'arxiv_search'));
    const [entry = ''] = /<entry>[\s\S]*?<\/entry>/.exec(feed) ?? [];
    const numbered = Array.from({ length: this.papers }, (_, index) =>
      entry.replace('<title>', `<title>${index + 1}. `),
    );
    return feed.replace(/<entry>[\s\S]*<\/entry>/, numbered.join('\n'));
  }

  #found(): Json {
    const answer = documented('crossref', 'crossref_works_search') as JsonObject;
    const message = isObject(answer['message']) ? answer['message'] : {};
    const [work] = message['items'] as readonly JsonObject[];
    const items = Array.from({ length: this.works }, (_, index) => ({
      ...work,
      DOI: `10.5555/${index + 1}`,
    }));
    return { ...answer, message: { ...message, items } } as Json;
  }
}
