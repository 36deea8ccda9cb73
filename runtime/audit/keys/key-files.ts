import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { configuredKey, keyInWords, parseKey } from '#contract/config/secret-key';
import { StartError } from '../../process/start-error.ts';
import type { Seeds } from './key-ring.ts';

/** Where the signing keys come from. */
export interface KeySource {
  readonly directory: string;
  /** 32 bytes of Ed25519 seed in base64; without it, a key file is made beside the log. */
  readonly key?: string | undefined;
  /** The key that `key` replaces. */
  readonly previousKey?: string | undefined;
}

/**
 * Read the keys that were given, else those in the files of the directory; a first key is made, by
 * its owner alone readable, when `mayCreate`.
 *
 * @throws ConfigError when a key that was given is none
 * @throws StartError when the file of a key is missing or holds none
 */
export function readSeeds(source: KeySource, mayCreate: boolean): Seeds {
  const { directory } = source;
  const given = configuredKey('SERVICE_AUDIT_PREVIOUS_KEY', source.previousKey);
  const key = configuredKey('SERVICE_AUDIT_KEY', source.key);
  if (key !== undefined) return { newest: key, previous: given };
  const files = filesOf(directory);
  const newest = readOrCreateSeed(files.newest, mayCreate);
  const kept = existsSync(files.previous) ? readSeed(files.previous) : undefined;
  return { newest, previous: given ?? kept };
}

/** Read the seed at `path`; make one, readable by its owner alone, when `mayCreate`. */
export function readOrCreateSeed(path: string, mayCreate: boolean): Buffer {
  if (!existsSync(path)) {
    if (!mayCreate) {
      throw new StartError(
        `the signing key ${path} of the audit log is missing: put it back, or set SERVICE_AUDIT_KEY`,
      );
    }
    putSeed(path, randomBytes(32));
  }
  return readSeed(path);
}

/**
 * Put a new key in the place of the one in the directory, which is kept as the previous one. Each
 * step leaves a pair with which the log opens: the old key alone, the old key twice, or the new one
 * with the old one beside it.
 */
export function replaceKeyFile(directory: string): void {
  const { newest, previous } = filesOf(directory);
  putSeed(previous, readSeed(newest));
  putSeed(newest, randomBytes(32));
}

function filesOf(directory: string) {
  return {
    newest: join(directory, 'audit.key'),
    previous: join(directory, 'audit.previous.key'),
  };
}

function readSeed(path: string): Buffer {
  const seed = parseKey(readFileSync(path, 'utf8'));
  if (seed !== undefined) return seed;
  throw new StartError(`the signing key ${path} is damaged: expected ${keyInWords}`);
}

/** Write a key file whole or not at all: half a key would stop every later start. */
function putSeed(path: string, seed: Uint8Array): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${Buffer.from(seed).toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  flushFolder(dirname(path));
}

/** Have it on disk which files a folder holds. */
export function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
