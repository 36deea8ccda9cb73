import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import {
  type AwsCredentials,
  encode,
  signedHeaders,
  type UnsignedRequest,
} from './aws-signature.ts';

const requestMs = 30_000;
const firstPauseMs = 250;
const mostTries = 4;
const mostErrorBytes = 65_536;

export interface S3Bucket extends AwsCredentials {
  readonly endpoint: string;
  readonly bucket: string;
  /** How long one request may take, and the pause before its first repetition. */
  readonly timing?: { readonly requestMs: number; readonly firstPauseMs: number };
}

export interface S3Request {
  readonly method: UnsignedRequest['method'];
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The statuses besides 200 that the caller understands. */
  readonly also?: readonly number[];
  /** An answer that is longer is none. */
  readonly mostBytes?: number;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends a request to a bucket; what passes by itself is tried again, a redirect is never followed. */
export type S3Send = (request: S3Request, signal: AbortSignal) => Promise<S3Answer>;

/** A failure that may be gone at the next try. */
class Passing extends Error {}

/** Connect to a bucket; no error of it repeats a credential. */
export function createS3Sender(bucket: S3Bucket): S3Send {
  const pauseMs = bucket.timing?.firstPauseMs ?? firstPauseMs;
  return async (wanted, signal) => {
    for (let tries = 1; ; tries++) {
      try {
        return await sendOnce(bucket, wanted, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Passing) || tries === mostTries) throw error;
        // Spread out, so that many servers do not come back together.
        await sleep(pauseMs * 4 ** (tries - 1) * (0.5 + Math.random()), undefined, { signal });
      }
    }
  };
}

async function sendOnce(
  bucket: S3Bucket,
  { method, key, query = {}, headers = {}, body = Buffer.alloc(0), ...expected }: S3Request,
  signal: AbortSignal,
): Promise<S3Answer> {
  const path = `/${[bucket.bucket, ...(key === '' ? [] : key.split('/'))].map(encode).join('/')}`;
  const url = new URL(bucket.endpoint.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const what = `${method} ${path}`;
  const { request } = await import('undici');
  const deadline = AbortSignal.timeout(bucket.timing?.requestMs ?? requestMs);
  try {
    const response = await request(url, {
      method,
      headers: signedHeaders({ method, url, headers, body }, bucket, new Date()),
      body: method === 'PUT' ? body : null,
      signal: AbortSignal.any([signal, deadline]),
    });
    return await readAnswer(response, what, expected);
  } catch (error) {
    if (error instanceof Refused) throw error.passing ? new Passing(error.message) : error;
    const reason = deadline.aborted ? 'no answer in time' : (error as Error).message;
    throw new Passing(`${what} at ${url.host}: ${reason}`, { cause: error });
  }
}

/** The bucket answered, in another way than was hoped. */
class Refused extends Error {
  readonly passing: boolean;

  constructor(message: string, status?: number) {
    super(message);
    this.passing = status !== undefined && isPassing(status);
  }
}

/** 409: another conditional request for the same object is on its way. */
function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
}

async function readAnswer(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  what: string,
  { also = [], mostBytes = 0 }: Pick<S3Request, 'also' | 'mostBytes'>,
): Promise<S3Answer> {
  if (status === 200) return { status, headers, bytes: await bounded(body, mostBytes, what) };
  const text = (await bounded(body, mostErrorBytes, what)).toString('latin1');
  if (also.includes(status)) return { status, headers, bytes: Buffer.alloc(0) };
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1];
  const region = String(headers['x-amz-bucket-region'] ?? '');
  const hint = /^[a-z0-9-]{1,32}$/.test(region) ? `, the bucket is in ${region}` : '';
  throw new Refused(`S3 answered ${status}${code ? ` (${code})` : ''} to ${what}${hint}`, status);
}

async function bounded(
  body: AsyncIterable<Uint8Array>,
  most: number,
  what: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new Refused(`S3 answered more than ${most} bytes to ${what}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
