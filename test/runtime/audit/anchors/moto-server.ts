import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';

const xml = new XMLParser({ isArray: (name) => name === 'Version', parseTagValue: false });

interface StoredVersion {
  readonly Key: string;
  readonly VersionId: string;
  readonly IsLatest: string;
}

/** An S3 service that is not ours: moto, with one bucket that has object lock. */
export class MotoServer {
  readonly endpoint: string;
  readonly bucket = 'audit-copy';
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, endpoint: string) {
    this.#child = child;
    this.endpoint = endpoint;
  }

  static async start(): Promise<MotoServer> {
    const child = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const missing = once(child, 'error').then(() => {
      throw new Error('moto is missing: install moto[server] from PyPI, with moto_server in PATH');
    });
    const endpoint = await Promise.race([missing, addressOf(child)]);
    const server = new MotoServer(child, endpoint);
    const headers = { 'x-amz-bucket-object-lock-enabled': 'true' };
    const { status } = await server.send('PUT', '', { headers });
    if (status !== 200) throw new Error(`the bucket was not made: ${status}`);
    return server;
  }

  /** Send a request as somebody who has every right. */
  send(
    method: string,
    key: string,
    {
      query = '',
      headers = {},
      body = '',
    }: { query?: string; headers?: object; body?: string } = {},
  ): Promise<Response> {
    const path = [this.bucket, ...key.split('/')].map(encodeURIComponent).join('/');
    const url = `${this.endpoint}/${path.replace(/\/$/, '')}${query}`;
    // Who asks is all that it looks at: it does not check signatures.
    const credential = 'Credential=root/20260101/us-east-1/s3/aws4_request';
    const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0`;
    const sent = method === 'PUT' ? { body } : {};
    return fetch(url, { method, headers: { ...headers, authorization }, ...sent });
  }

  /** Every version of every object. */
  async versions(): Promise<readonly StoredVersion[]> {
    const all: StoredVersion[] = [];
    for (let after = ''; ; ) {
      const answer = await this.send('GET', '', { query: `?versions${after}` });
      const { ListVersionsResult: page } = xml.parse(await answer.text());
      all.push(...(page.Version ?? []));
      if (page.IsTruncated !== 'true') return all;
      after = `&key-marker=${encodeURIComponent(page.NextKeyMarker)}&version-id-marker=${page.NextVersionIdMarker}`;
    }
  }

  /** Write what a download gives into a folder. */
  async download(folder: string): Promise<void> {
    for (const { Key: key, IsLatest: latest } of await this.versions()) {
      if (latest !== 'true') continue;
      const path = join(folder, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await (await this.send('GET', key)).bytes());
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  // Read to the end: a full pipe would hold the server up.
  stderr?.on('data', (chunk) => {
    text = (text + chunk).slice(-10_000);
    const address = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
    if (address !== undefined) resolve(address);
  });
  stderr?.on('end', () => reject(new Error(`moto has ended: ${text}`)));
  return promise;
}
