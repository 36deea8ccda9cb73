import { hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { configuredKey, keyInWords, parseKey } from '#contract/config/secret-key';
import { makeDataFolder } from './folders.ts';
import { StartError } from './start-error.ts';

/** Gives a key of 32 bytes for one purpose; the same purpose always has the same key. */
export type KeyOf = (purpose: string) => Buffer;

/**
 * Derive keys from the deployment's secret (RFC 5869): the configured one, which all replicas share,
 * else one in the data directory that is made when it is first needed.
 */
export function createKeys({
  dataDir,
  secretKey,
}: {
  readonly dataDir: string;
  /** 32 bytes in base64. */
  readonly secretKey: string | undefined;
}): KeyOf {
  let secret: Buffer | undefined;
  return (purpose) => {
    secret ??= configuredKey('SERVICE_SECRET_KEY', secretKey) ?? readOrCreate(dataDir);
    return Buffer.from(hkdfSync('sha256', secret, '', `agent-tool-server ${purpose}`, 32));
  };
}

function readOrCreate(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key');
  if (existsSync(path)) return parseFile(path);
  makeDataFolder(dataDir);
  const secret = randomBytes(32);
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${secret.toString('base64')}\n`);
    fsyncSync(file);
    closeSync(file);
    return secret;
  } catch (error) {
    // Another process of the same directory was faster.
    if (existsSync(path)) return parseFile(path);
    throw error;
  }
}

function parseFile(path: string): Buffer {
  const key = parseKey(readFileSync(path, 'utf8'));
  if (key !== undefined) return key;
  throw new StartError(`the key ${path} is damaged: expected ${keyInWords}`);
}
