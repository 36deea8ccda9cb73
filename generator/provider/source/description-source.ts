import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { readSourceBytes } from '../../read/text/source-text.ts';
import { spelledFrom } from '../../read/text/spec-files.ts';
import { fetchDescription } from './fetch-description.ts';
import { FetchError } from './fetch-error.ts';
import { foreignText } from './foreign-text.ts';
import { publicAddress } from './public-address.ts';

/** A description that lies on disk for a while. */
export interface DescriptionSource {
  readonly file: string;
  /** The folder that its references may not leave. */
  readonly root: string;
  /** Where it came from, as UPSTREAM.json keeps it: never a path of this machine. */
  readonly upstream: { readonly url: string } | { readonly file: string };
  /** Its address, for servers that are relative to it. */
  readonly origin: string | undefined;
  /** Whether a user or a password stands in what was named: neither is kept. */
  readonly isBehindLogin: boolean;
  readonly bytes: Buffer;
  /** Remove what was only fetched for this run. */
  close(): void;
}

/**
 * Open the description that the command line names: a file, or an http(s) address.
 *
 * @throws FetchError when an address gives nothing, or what is no file or no description is named
 */
export async function openDescription(
  name: string,
  base: string,
  root: string | undefined,
): Promise<DescriptionSource> {
  if (!/^https?:\/\//i.test(name)) {
    const file = spelledFrom(base, resolve(base, name));
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      throw new FetchError(`expected a file or an http(s) address, got the folder ${name}`);
    }
    return {
      file,
      root: root === undefined ? dirname(file) : spelledFrom(base, resolve(base, root)),
      upstream: { file: basename(file) },
      origin: undefined,
      isBehindLogin: false,
      bytes: descriptionBytes(file, name, undefined),
      close() {},
    };
  }
  const url = new URL(name);
  const folder = mkdtempSync(join(tmpdir(), 'description-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { file, address } = await fetchDescription(url, folder);
    const { href } = publicAddress(url);
    return {
      file,
      root: folder,
      upstream: { url: href },
      origin: address.href,
      isBehindLogin: url.username !== '' || url.password !== '',
      bytes: descriptionBytes(file, href, href),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function descriptionBytes(file: string, name: string, address: string | undefined): Buffer {
  const source = readSourceBytes(file);
  if (source.bytes === undefined) throw new FetchError(`cannot read ${name}: ${source.reason}`);
  const foreign = foreignText(source.bytes, address);
  if (foreign !== undefined) throw new FetchError(`${name} ${foreign}`);
  return source.bytes;
}
