import { writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { maxFileBytes } from '../../read/text/source-text.ts';
import { FetchError } from './fetch-error.ts';
import { publicAddress } from './public-address.ts';
import { redirectedTo, standsAt } from './redirect-address.ts';

const timeoutMs = 60_000;
const behindLogin =
  'write user and password into the address (http://user:password@...), or fetch it with your credential and name the file';
/** So often an address may send on to another one. */
const mostRedirects = 3;

/** A description that was fetched, and the address that those in it are relative to. */
export interface FetchedDescription {
  readonly file: string;
  readonly address: URL;
}

/**
 * Fetch a description into `folder`. Here, and where a description without servers is looked for on the
 * same host, the generator uses the network, and only because the command line names the address.
 *
 * @throws FetchError
 */
export async function fetchDescription(
  url: URL,
  folder: string,
  patienceMs: number = timeoutMs,
): Promise<FetchedDescription> {
  const address = publicAddress(url);
  // Loaded by whoever needs the network: a file is read without it.
  const { Agent, request } = await import('undici');
  const agent = new Agent();
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const ask = (at: URL) =>
      request(withoutUser(at), { dispatcher: agent, signal, headers: headersFor(at) });
    let [at, response] = [url, await ask(url)];
    for (let count = 0; ; count += 1) {
      const next = redirectedTo(at, response.statusCode, locationOf(response.headers));
      if (next === undefined) break;
      if (count === mostRedirects) {
        throw new FetchError(
          `${address} sends on to other addresses more than ${mostRedirects} times`,
        );
      }
      await response.body.dump();
      [at, response] = [next, await ask(next)];
    }
    if (response.statusCode !== 200) {
      await response.body.dump();
      const whose =
        at.origin === url.origin ? address : `${at.origin}, to which ${address} sends on,`;
      const told = response.statusCode === 401 ? `: ${behindLogin}` : '';
      throw new FetchError(`${whose} answered with status ${response.statusCode}${told}`);
    }
    const bytes = unpacked(await boundedBytes(response.body));
    const file = join(folder, `description${extensionOf(url, bytes)}`);
    writeFileSync(file, bytes);
    return { file, address: publicAddress(standsAt(url, at)) };
  } catch (cause) {
    if (cause instanceof FetchError) throw cause;
    const { name, message } = cause as Error;
    const why = name === 'TimeoutError' ? `it did not end within ${patienceMs / 1000} s` : message;
    throw new FetchError(`cannot fetch ${address}: ${why}`);
  } finally {
    // What has not ended yet is not waited for.
    await agent.destroy();
  }
}

function headersFor({ username, password }: URL): Record<string, string> {
  return {
    accept: 'application/json, application/yaml, text/yaml, */*;q=0.1',
    ...((username !== '' || password !== '') && { authorization: basic(username, password) }),
  };
}

function locationOf({ location }: Readonly<Record<string, string | string[] | undefined>>) {
  return typeof location === 'string' ? location : undefined;
}

/** As browsers send a user and a password that stand in an address (RFC 7617). */
function basic(username: string, password: string): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

async function boundedBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxFileBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a store keeps packed it gives so, asked for or not. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxFileBytes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge();
    }
    return bytes;
  }
}

function tooLarge(): FetchError {
  return new FetchError(`the description is larger than ${maxFileBytes / 1024 / 1024} MiB`);
}

function extensionOf(url: URL, bytes: Buffer): string {
  const extension = extname(url.pathname).toLowerCase();
  if (['.json', '.yaml', '.yml'].includes(extension)) return extension;
  return /^\s*[{[]/.test(bytes.subarray(0, 200).toString('utf8')) ? '.json' : '.yaml';
}
