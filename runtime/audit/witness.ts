import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Store, Tables, WitnessedLogRow } from '#contract/store';
import type { Witness, Witnessing } from '#contract/witness';
import type { Cosigner } from './cosignature.ts';
import { verifyConsistency } from './merkle.ts';
import { isSignedBy, parseVerifierKey, type VerifierKey } from './verify.ts';
import {
  parseWitnessRequest,
  type SubmittedCheckpoint,
  type WitnessRequest,
} from './witness-request.ts';

/** Logs belong to servers, not to one of their tenants. */
const tenant = 'default';
const reportEveryMs = 60_000;
const emptyRoot = hash('sha256', '', 'buffer');

export interface WitnessOptions {
  readonly store: Pick<Store, 'db' | 'transaction'>;
  /** Verifier keys of the logs; several of one log where its key changes. */
  readonly logs: readonly string[];
  /** Asked for with the first cosignature: its key may have to be made. */
  readonly cosigner: () => Cosigner;
  readonly clock?: { now(): number };
  /** Hears of a log that may have two histories, and of the checkpoints that show it. */
  readonly report?: (message: string, evidence: object) => void;
}

/** Create a witness; what it has cosigned is remembered in the store, for all of its replicas. */
export function createWitness(options: WitnessOptions): Witness {
  const { store, clock = Date, report } = options;
  const logs = keysByOrigin(options.logs);
  const reported = new Map<string, number>();
  let opened: Cosigner | undefined;

  function cosigner(): Cosigner {
    opened ??= options.cosigner();
    return opened;
  }

  return {
    vkey: () => cosigner().vkey,
    async addCheckpoint(body) {
      const request = parseWitnessRequest(body);
      if (request === undefined) throw malformed('the body is not that of add-checkpoint');
      const { checkpoint } = request;
      const signatures = requireSigned(checkpoint, logs.get(checkpoint.origin));
      if (request.old > checkpoint.size) throw malformed('old is larger than the checkpoint');
      // Compared and kept as one, and kept before the cosignature leaves.
      const outcome = await store.transaction(async (tx) => {
        const held = await heldIn(tx, checkpoint.origin);
        const refusal = refusalOf(request, held);
        if (refusal !== undefined) return { refusal, held };
        const seconds = Math.floor(clock.now() / 1000);
        const lines = cosigner().cosign(checkpoint.text, seconds);
        await keep(tx, rowOf(checkpoint, signatures + lines, seconds * 1000), held);
        return { lines };
      });
      if (outcome.lines !== undefined) return { kind: 'cosigned', lines: outcome.lines };
      return refuse(request, outcome.refusal, outcome.held);
    },
    async checkpoint(origin) {
      return (await heldIn(store.db, origin))?.note;
    },
  };

  function refuse(
    { checkpoint }: WitnessRequest,
    refusal: Refusal,
    held: WitnessedLogRow | undefined,
  ): Witnessing {
    const { size = 0, note } = held ?? {};
    if (refusal !== 'stale') reportOnce(checkpoint, note);
    if (refusal !== 'inconsistent') return { kind: 'conflict', size };
    const message = `the proof does not lead from ${size} entries to ${checkpoint.size}`;
    throw new ServiceError('inconsistent_checkpoint', 422, message);
  }

  /** Anybody can send a wrong proof, so that not every one is worth a line. */
  function reportOnce({ origin, text }: SubmittedCheckpoint, held: string | undefined): void {
    const last = reported.get(origin) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < reportEveryMs) return;
    reported.set(origin, performance.now());
    const message = `the audit log ${origin} does not continue what was cosigned`;
    report?.(message, { offered: text, held });
  }
}

function keysByOrigin(vkeys: readonly string[]): ReadonlyMap<string, readonly VerifierKey[]> {
  return Map.groupBy(
    vkeys.map((vkey) => parseVerifierKey(vkey)),
    ({ name }) => name,
  );
}

/** The lines that the log itself has signed; those of unknown keys are ignored. */
function requireSigned(
  { origin, text, signatures }: SubmittedCheckpoint,
  keys: readonly VerifierKey[] | undefined,
): string {
  if (keys === undefined) {
    const message = `the log ${JSON.stringify(origin.slice(0, 300))} is not watched here`;
    throw new ServiceError('unknown_log', 404, message);
  }
  const own = signatures.filter((line) =>
    keys.some((key) => isSignedBy(`${text}\n${line}\n`, key)),
  );
  if (own.length > 0) return own.map((line) => `${line}\n`).join('');
  throw new ServiceError('bad_signature', 403, `no known key of ${origin} has signed this`);
}

type Refusal = 'stale' | 'other root' | 'inconsistent';

/** Why a checkpoint must not be cosigned, in the order of C2SP tlog-witness. */
function refusalOf(
  { old, proof, checkpoint }: WitnessRequest,
  held: WitnessedLogRow | undefined,
): Refusal | undefined {
  const { size = 0 } = held ?? {};
  if (old !== size) return 'stale';
  const root = held === undefined ? emptyRoot : Buffer.from(held.root, 'base64');
  if (checkpoint.size === size && size > 0 && !root.equals(checkpoint.root)) return 'other root';
  if (checkpoint.size === 0 && !emptyRoot.equals(checkpoint.root)) return 'inconsistent';
  const consistent =
    size === 0 ? proof.length === 0 : verifyConsistency({ size, root }, checkpoint, proof);
  return consistent ? undefined : 'inconsistent';
}

function rowOf(
  { origin, size, root, text }: SubmittedCheckpoint,
  signatures: string,
  cosigned_at: number,
): WitnessedLogRow {
  const note = `${text}\n${signatures}`;
  return { tenant, origin, size, root: Buffer.from(root).toString('base64'), note, cosigned_at };
}

function heldIn(db: Store['db'], origin: string): Promise<WitnessedLogRow | undefined> {
  return db
    .selectFrom('witnessed_log')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('origin', '=', origin)
    .executeTakeFirst();
}

async function keep(
  tx: Transaction<Tables>,
  row: WitnessedLogRow,
  held: WitnessedLogRow | undefined,
): Promise<void> {
  if (held === undefined) {
    await tx.insertInto('witnessed_log').values(row).execute();
    return;
  }
  await tx
    .updateTable('witnessed_log')
    .set(row)
    .where('tenant', '=', tenant)
    .where('origin', '=', row.origin)
    .execute();
}

function malformed(message: string): ServiceError {
  return new ServiceError('malformed_request', 400, message);
}
