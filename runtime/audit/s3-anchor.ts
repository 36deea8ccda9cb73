import { hash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import { request } from 'undici';
import { isObject } from '#contract/json';
import type { Anchor } from './anchor.ts';
import { type AwsCredentials, encode, signedHeaders } from './aws-signature.ts';

const hourMs = 3_600_000;
/** 1,000 keys each: more than eleven years of one checkpoint an hour. */
const mostPages = 100;
const mostBytes = 1024 * 1024;

export interface S3AnchorOptions extends AwsCredentials {
  readonly endpoint: string;
  /** A bucket with object lock. */
  readonly bucket: string;
  readonly retainDays: number;
  readonly everyMs?: number;
}

/**
 * Keeps a checkpoint an hour in an S3-compatible bucket, locked in compliance mode: nobody can
 * overwrite or delete it before its time, the owner of the account included.
 */
export function createS3Anchor(options: S3AnchorOptions): Anchor {
  const { endpoint, bucket, retainDays, everyMs = hourMs } = options;
  const send = sender(options);
  return {
    target: `s3:${new URL(endpoint).host}/${bucket}`,
    everyMs,
    async newest(origin, signal) {
      const key = await lastKey(send, folderOf(origin), signal);
      return key === undefined ? undefined : (await send({ method: 'GET', key, signal })).text;
    },
    async put({ note, size }, { origin }, signal) {
      const key = folderOf(origin) + String(size).padStart(20, '0');
      const until = new Date(Date.now() + retainDays * 24 * hourMs).toISOString();
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        'if-none-match': '*',
        'x-amz-checksum-sha256': hash('sha256', note, 'base64'),
        'x-amz-object-lock-mode': 'COMPLIANCE',
        'x-amz-object-lock-retain-until-date': until,
      };
      const { status } = await send({ method: 'PUT', key, headers, body: note, signal });
      if (status === 412) await expectSame(send, key, note, signal);
      return key;
    },
  };
}

interface S3Request {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

type Send = (request: S3Request) => Promise<{ status: number; text: string }>;

function sender(options: S3AnchorOptions): Send {
  return async ({ method, key, query = {}, headers = {}, body = '', signal }) => {
    const path = `/${[options.bucket, ...key.split('/')].map(encode).join('/')}`;
    const url = new URL(options.endpoint.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = signedHeaders({ method, url, headers, body }, options, new Date());
    const response = await request(url, {
      method,
      headers: signed,
      body: method === 'PUT' ? body : null,
      signal,
    });
    const text = await boundedText(response.body);
    const { statusCode: status } = response;
    if (status !== 200 && status !== 412)
      throw new Error(`S3 answered ${status} to ${method} ${path}`);
    return { status, text };
  };
}

async function boundedText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`S3 answered more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Keys are listed in ascending order: the last one belongs to the largest tree. */
async function lastKey(
  send: Send,
  prefix: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let last: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = {
      'list-type': '2',
      prefix,
      ...(last !== undefined && { 'start-after': last }),
    };
    const keys = keysIn((await send({ method: 'GET', key: '', query, signal })).text);
    const end = keys.at(-1);
    if (end === undefined) return last;
    last = end;
  }
  throw new Error(`S3 lists more than ${mostPages} pages under ${prefix}`);
}

const xml = new XMLParser({ isArray: (name) => name === 'Contents', parseTagValue: false });

function keysIn(text: string): readonly string[] {
  const parsed: unknown = xml.parse(text);
  const result = isObject(parsed) ? parsed['ListBucketResult'] : undefined;
  if (!isObject(result)) {
    if (isObject(parsed) && 'ListBucketResult' in parsed) return [];
    throw new Error('S3 answered something else than a list of keys');
  }
  const contents = Array.isArray(result['Contents']) ? result['Contents'] : [];
  return contents.flatMap((entry: unknown) => (isObject(entry) ? String(entry['Key']) : []));
}

async function expectSame(
  send: Send,
  key: string,
  note: string,
  signal: AbortSignal,
): Promise<void> {
  const { text } = await send({ method: 'GET', key, signal });
  if (text !== note) throw new Error(`the bucket holds another checkpoint under ${key}`);
}

function folderOf(origin: string): string {
  return `${encodeURIComponent(origin)}/checkpoints/`;
}
