import { writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { maxFileBytes } from '../read/text/source-text.ts';
import { publicAddress } from './public-address.ts';

const timeoutMs = 60_000;

/** A description could not be fetched; the message says why, without a credential. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

/**
 * Fetch a description into `folder`. This is the only place where the generator uses the network,
 * and only because the command line names the address.
 *
 * @throws FetchError
 */
export async function fetchDescription(
  url: URL,
  folder: string,
  patienceMs: number = timeoutMs,
): Promise<string> {
  const address = publicAddress(url);
  // Loaded by whoever needs the network: a file is read without it.
  const { Agent, interceptors, request } = await import('undici');
  const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));
  try {
    const { username, password } = url;
    const response = await request(withoutUser(url), {
      dispatcher: agent,
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        accept: 'application/json, application/yaml, text/yaml, */*;q=0.1',
        ...((username !== '' || password !== '') && { authorization: basic(username, password) }),
      },
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new FetchError(`${address} answered with status ${response.statusCode}`);
    }
    const bytes = await boundedBytes(response.body);
    const file = join(folder, `description${extensionOf(url, bytes)}`);
    writeFileSync(file, bytes);
    return file;
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
    if (size > maxFileBytes) {
      throw new FetchError(`the description is larger than ${maxFileBytes / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function extensionOf(url: URL, bytes: Buffer): string {
  const extension = extname(url.pathname).toLowerCase();
  if (['.json', '.yaml', '.yml'].includes(extension)) return extension;
  return /^\s*[{[]/.test(bytes.subarray(0, 200).toString('utf8')) ? '.json' : '.yaml';
}
