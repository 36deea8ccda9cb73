import { writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Agent, interceptors, request } from 'undici';
import { maxFileBytes } from '../read/text/source-text.ts';

const timeoutMs = 60_000;

/** A description could not be fetched; the message says why. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

/**
 * Fetch a description into `folder`. This is the only place where the generator uses the network,
 * and only because the command line names the address.
 *
 * @throws FetchError
 */
export async function fetchDescription(url: URL, folder: string): Promise<string> {
  const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.1' },
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new FetchError(`${url} answered with status ${response.statusCode}`);
    }
    const bytes = await boundedBytes(response.body);
    const file = join(folder, `description${extensionOf(url, bytes)}`);
    writeFileSync(file, bytes);
    return file;
  } catch (cause) {
    if (cause instanceof FetchError) throw cause;
    throw new FetchError(`cannot fetch ${url}: ${(cause as Error).message}`, { cause });
  } finally {
    await agent.close();
  }
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
