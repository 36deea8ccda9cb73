import { randomBytes } from 'node:crypto';
import { isObject } from '#contract/json';
import { isSame, keyedHash } from '../secrets/keyed-hash.ts';

/** What somebody lacks, and who can give it. */
export interface ElevationRequest {
  readonly kind: 'registration' | 'grant';
  /** Registration or grant. */
  readonly owner: string;
  /** The person for whom it acts. */
  readonly user: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Write a request so that it can stand in an address: a refusal stores nothing. Nobody else can
 * write one, and nobody but its person can agree to it.
 */
export function writeElevation(request: ElevationRequest, key: Buffer): string {
  const nonce = randomBytes(12).toString('base64url');
  const text = Buffer.from(JSON.stringify({ ...request, nonce })).toString('base64url');
  return `${text}.${keyedHash(key, 'elevation', text)}`;
}

/** Read one; nothing where it is none, or its time is over. */
export function readElevation(
  written: string,
  key: Buffer,
  now: number,
): ElevationRequest | undefined {
  const [text = '', mac = ''] = written.split('.', 2);
  if (!isSame(mac, keyedHash(key, 'elevation', text))) return undefined;
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!isObject(value)) return undefined;
  // Written by `writeElevation` alone.
  const request = value as unknown as ElevationRequest;
  return request.expiresAt > now ? request : undefined;
}
