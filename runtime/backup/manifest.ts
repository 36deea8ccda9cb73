import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '#contract/json';
import { StartError } from '../process/start-error.ts';
import { version } from '../process/version.ts';
import { synchronize } from './work-folder.ts';

/** Version of the folder that a backup is. */
const format = 1;

const manifestFile = 'manifest.json';

/** What tells a whole file from a damaged one. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup holds; it is written last, so that a folder with it is complete. */
export interface Manifest {
  readonly format: number;
  /** Version of the server that made the backup. */
  readonly server: string;
  /** RFC 3339. */
  readonly made: string;
  /** Names of the files in the folder. */
  readonly files: Readonly<Record<string, FileDigest>>;
}

/** Write down what is in the folder of a new backup. */
export async function writeManifest(folder: string, names: readonly string[]): Promise<Manifest> {
  const digests = names.map(async (name) => [name, await digestOf(join(folder, name))] as const);
  const files = Object.fromEntries(await Promise.all(digests));
  const manifest = { format, server: version, made: new Date().toISOString(), files };
  const path = join(folder, manifestFile);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  synchronize(path);
  return manifest;
}

/**
 * Read what a backup holds, and check that all of it is there as it was written.
 *
 * @throws StartError when it is damaged, incomplete, newer than this code, or no backup
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  if (!existsSync(path)) {
    throw new StartError(
      `${folder} is not a backup of this server, or not a whole one: expected the folder that "store backup" has written, with a ${manifestFile}`,
    );
  }
  const manifest = parseManifest(folder, readFileSync(path, 'utf8'));
  for (const [name, expected] of Object.entries(manifest.files)) {
    await requireWhole(folder, name, expected);
  }
  return manifest;
}

function parseManifest(folder: string, text: string): Manifest {
  const manifest = parsedJson(text);
  if (isObject(manifest) && Number(manifest['format']) > format) {
    throw new StartError(
      `${folder} was written by version ${JSON.stringify(manifest['server'])}, whose backups have format ${Number(manifest['format'])}; this version (${version}) reads ${format}: restore it with that version, or a newer one`,
    );
  }
  if (isManifest(manifest)) return manifest;
  throw new StartError(
    `${join(folder, manifestFile)} is damaged: expected what "store backup" has written`,
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value['format'] !== format || !isObject(value['files'])) return false;
  // Names of files alone: a manifest must not point out of its folder.
  return Object.entries(value['files']).every(
    ([name, digest]) =>
      /^[a-z][a-z.]*$/.test(name) &&
      isObject(digest) &&
      Number.isSafeInteger(digest['bytes']) &&
      /^[0-9a-f]{64}$/.test(String(digest['sha256'])),
  );
}

async function requireWhole(folder: string, name: string, expected: FileDigest): Promise<void> {
  const path = join(folder, name);
  if (!existsSync(path))
    throw new StartError(`the backup ${folder} is incomplete: ${name} is missing`);
  const found = await digestOf(path);
  if (found.bytes !== expected.bytes) {
    throw new StartError(
      `${path} is damaged: expected ${expected.bytes} bytes, found ${found.bytes}`,
    );
  }
  if (found.sha256 === expected.sha256) return;
  throw new StartError(
    `${path} is damaged: expected SHA-256 ${expected.sha256}, found ${found.sha256}`,
  );
}

async function digestOf(path: string): Promise<FileDigest> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: statSync(path).size, sha256: hash.digest('hex') };
}
