import { hash } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { AuditLog } from '#contract/house/audit';
import type { AuditReader } from '#contract/house/audit-events';
import type { Witness } from '#contract/house/witness';
import type { AuditHandlers } from '../../../generated/surfaces/audit/routes.ts';
import { areOwnEntries, isOwnEntry } from './own-entries.ts';
import { parseTilePath } from './tile-path.ts';
import { createWitnessHandlers } from './witness-handlers.ts';

/**
 * No tile, entry or proof between two sizes of a log ever changes, but a successor has others under
 * the same addresses: who keeps one asks whether it is still that of the log.
 */
function kept(visibility: 'public' | 'private', body: string | Uint8Array) {
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  return { 'cache-control': `${visibility}, no-cache`, etag };
}

/** A new checkpoint is signed every second or so. */
const seconds = { 'cache-control': 'public, max-age=2' };
const never = { 'cache-control': 'no-store' };

/** Serve the log over HTTP (C2SP tlog-checkpoint, tlog-tiles, tlog-proof). */
export function createHandlers(
  open: () => Promise<AuditReader>,
  witness: Witness | undefined,
): AuditHandlers {
  let verification: ReturnType<AuditLog['verify']> | undefined;

  /** Verifying reads the whole log: whoever asks meanwhile gets the same result. */
  async function verify() {
    const log = await open();
    verification ??= log.verify().finally(() => {
      verification = undefined;
    });
    return verification;
  }

  return {
    async getCheckpoint() {
      const { note } = await (await open()).checkpoint();
      return { status: 200, headers: seconds, body: note };
    },
    async getTile({ parameters: { level, index: path } }) {
      const { index, width } = addressOf(path);
      const log = await open();
      const body = found(await log.tile(level, index, width), `tile ${level}/${path}`);
      return { status: 200, headers: kept('public', body), body };
    },
    async getEntriesTile({ parameters: { index: path }, context: { caller } }) {
      const { index, width } = addressOf(path);
      const log = await open();
      const name = `tile entries/${path}`;
      const body = found(await log.entriesBundle(index, width), name);
      found(areOwnEntries(body, caller) || undefined, name);
      return { status: 200, headers: kept('private', body), body };
    },
    async getEntry({ parameters: { seq }, context: { caller } }) {
      const name = `entry ${seq}`;
      const record = found(await (await open()).entry(seq), name);
      found(isOwnEntry(record.entry, caller) || undefined, name);
      const body = { entry: record.entry, hash: record.hash };
      return { status: 200, headers: kept('private', record.hash), body };
    },
    async getProof({ parameters: { seq, size } }) {
      const against = size === undefined ? '' : ` for the checkpoint of size ${size}`;
      const body = found(await (await open()).proof(seq, size), `proof of entry ${seq}${against}`);
      return { status: 200, headers: seconds, body };
    },
    async getConsistency({ parameters: { from, to } }) {
      if (from > to) {
        const message = `from must not be larger than to, but ${from} is larger than ${to}`;
        throw new ServiceError('invalid_arguments', 400, message);
      }
      const hashes = found(await (await open()).consistency(from, to), `tree of size ${to}`);
      const body = hashes.map((each) => `${each}\n`).join('');
      return { status: 200, headers: kept('public', body), body };
    },
    async getVerifierKey() {
      const { keys } = await open();
      return { status: 200, headers: seconds, body: keys.map(({ vkey }) => `${vkey}\n`).join('') };
    },
    async verifyLog() {
      return { status: 200, headers: never, body: await verify() };
    },
    ...createWitnessHandlers(witness),
  };
}

function addressOf(path: string) {
  return found(parseTilePath(path), `tile ${path.slice(0, 40)}`);
}

function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new ServiceError('not_found', 404, `there is no ${name}`);
  return value;
}
