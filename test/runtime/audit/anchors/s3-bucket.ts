import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type AwsCredentials,
  signedHeaders,
} from '../../../../runtime/audit/anchors/aws-signature.ts';

export const credentials: AwsCredentials = {
  region: 'eu-central-1',
  accessKeyId: 'id',
  secretAccessKey: 'not-a-secret',
};

interface Version {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
}

/** Answers in the place of the bucket; `true` when it has. */
type Interception = (asked: Asked, response: ServerResponse) => boolean;

/** A bucket in memory that keeps to what is sent: signature, condition, versions, pages of two. */
export class TestBucket {
  readonly versions = new Map<string, Version[]>();
  readonly asked: Asked[] = [];
  /** Keys that a deletion hides. */
  readonly hidden = new Set<string>();
  intercept: Interception = () => false;
  /** Whether it tells the checksum of an object, and that it is locked. */
  tellsChecksum = true;
  tellsLock = true;
  pageSize = 2;
  endpoint = '';

  static async start(t: TestContext): Promise<TestBucket> {
    const bucket = new TestBucket();
    const server = createServer((request, response) => void bucket.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close().closeAllConnections());
    bucket.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return bucket;
  }

  /** What connects an anchor to it, in a hurry. */
  get options() {
    const timing = { requestMs: 5000, firstPauseMs: 1 };
    return { ...credentials, endpoint: this.endpoint, bucket: 'bucket', retainDays: 30, timing };
  }

  get keys(): readonly string[] {
    return [...this.versions.keys()].sort();
  }

  /** What somebody writes who has the right to write, and not the one to delete. */
  write(key: string, body: string): void {
    const version = { body: Buffer.from(body), headers: {} };
    this.versions.set(key, [...(this.versions.get(key) ?? []), version]);
  }

  count(method: string): number {
    return this.asked.filter((asked) => asked.method === method).length;
  }

  /** Write its objects into a folder, as the tools of S3 do. */
  download(folder: string): void {
    for (const [key, versions] of this.versions) {
      const path = join(folder, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, versions.at(-1)?.body ?? '');
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const { headers, method = '' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const key = decodeURIComponent(url.pathname.slice('/bucket/'.length));
    const asked = { method, key, headers };
    this.asked.push(asked);
    if (this.intercept(asked, response)) return;
    if (!isSigned(method, url, headers, body)) response.writeHead(403).end();
    else if (method === 'PUT') this.#put(key, { body, headers }, response);
    else if (url.searchParams.has('versions')) response.end(this.#list(url.searchParams));
    else this.#read(key, url.searchParams.get('versionId'), response);
  }

  #put(key: string, version: Version, response: ServerResponse): void {
    const taken = this.versions.has(key) && !this.hidden.has(key);
    if (taken && version.headers['if-none-match'] === '*') {
      response.writeHead(412).end();
      return;
    }
    this.hidden.delete(key);
    this.versions.set(key, [...(this.versions.get(key) ?? []), version]);
    response.writeHead(200).end();
  }

  #read(key: string, versionId: string | null, response: ServerResponse): void {
    const versions = this.versions.get(key) ?? [];
    const version = versions[versionId === null ? versions.length - 1 : Number(versionId)];
    if (version === undefined || (versionId === null && this.hidden.has(key))) {
      response.writeHead(404).end();
      return;
    }
    const { body, headers } = version;
    response.writeHead(200, {
      'content-length': body.length,
      ...(this.tellsChecksum && { 'x-amz-checksum-sha256': hash('sha256', body, 'base64') }),
      ...(this.tellsLock && { 'x-amz-object-lock-mode': headers['x-amz-object-lock-mode'] ?? '' }),
    });
    response.end(body);
  }

  /** Versions in the order of their keys, the newest first; the markers of deletions count as well. */
  #list(query: URLSearchParams): string {
    const after = query.get('key-marker') ?? '';
    const within = query.get('version-id-marker');
    const all = this.keys
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .flatMap((key) => [
        ...(this.hidden.has(key) ? [{ key, id: 'deleted', kind: 'DeleteMarker' }] : []),
        ...(this.versions.get(key) ?? [])
          .map((_, id) => ({ key, id: String(id), kind: 'Version' }))
          .reverse(),
      ]);
    const marked = all.findIndex(({ key, id }) => key === after && id === within);
    const rest = marked < 0 ? all.filter(({ key }) => key > after) : all.slice(marked + 1);
    const page = rest.slice(0, this.pageSize);
    const last = page.at(-1);
    const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.id}</NextVersionIdMarker>`;
    const more = rest.length > page.length;
    const rows = page.map(
      ({ key, id, kind }) => `<${kind}><Key>${key}</Key><VersionId>${id}</VersionId></${kind}>`,
    );
    return `<?xml version="1.0"?><ListVersionsResult><IsTruncated>${more}</IsTruncated>${more ? next : ''}${rows.join('')}</ListVersionsResult>`;
  }
}

function isSigned(method: string, url: URL, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const own = new Set(['host', 'x-amz-date', 'x-amz-content-sha256']);
  const given = names.filter((name) => !own.has(name)).map((name) => [name, String(headers[name])]);
  const time = String(headers['x-amz-date']).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const verb = method === 'PUT' || method === 'HEAD' ? method : 'GET';
  const request = { method: verb, url, headers: Object.fromEntries(given), body } as const;
  const expected = signedHeaders(request, credentials, new Date(time));
  return expected['authorization'] === headers.authorization;
}
