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
import { StartError } from '../start-error.ts';
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
 * @throws StartError when a key is missing or is none
 */
export function readSeeds({ directory, key, previousKey }: KeySource, mayCreate: boolean): Seeds {
  const given = previousKey === undefined ? undefined : parseSeed(previousKey);
  if (key !== undefined) return { newest: parseSeed(key), previous: given };
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
  return parseSeed(readFileSync(path, 'utf8'));
}

/** Parse the 32 bytes of an Ed25519 seed, in base64. */
export function parseSeed(text: string): Buffer {
  const seed = Buffer.from(text.trim(), 'base64');
  if (
    seed.length === 32 &&
    seed.toString('base64').replace('=', '') === text.trim().replace('=', '')
  )
    return seed;
  throw new StartError(
    'the signing key of the audit log: expected 32 bytes in base64, as `openssl rand -base64 32` prints them',
  );
}

/** Write a key file whole or not at all: half a key would stop every later start. */
function putSeed(path: string, seed: Uint8Array): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, `${Buffer.from(seed).toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
