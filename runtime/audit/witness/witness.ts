import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { Witness, Witnessing } from '#contract/house/witness';
import type { Tables, WitnessedLogRow } from '../../../generated/tables.ts';
import type { Cosigner } from '../keys/cosignature.ts';
import { verifyConsistency } from '../tree/merkle.ts';
import { isSignedBy, parseVerifierKey, type VerifierKey } from '../verify/verify.ts';
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
  readonly store: Pick<Store<Tables>, 'db' | 'transaction'>;
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
  return new StoredWitness(options);
}

class StoredWitness implements Witness {
  readonly #options: WitnessOptions;
  readonly #logs: ReadonlyMap<string, readonly VerifierKey[]>;
  /** When each kind of refusal was last reported of each log. */
  readonly #reported = new Map<string, number>();
  #opened: Cosigner | undefined;

  constructor(options: WitnessOptions) {
    this.#options = options;
    this.#logs = keysByOrigin(options.logs);
  }

  vkey(): string {
    return this.#cosigner().vkey;
  }

  async addCheckpoint(body: string): Promise<Witnessing> {
    const request = parseWitnessRequest(body);
    if (request === undefined) throw malformed('the body is not that of add-checkpoint');
    const { checkpoint } = request;
    const signatures = requireSigned(checkpoint, this.#logs.get(checkpoint.origin));
    if (request.old > checkpoint.size) throw malformed('old is larger than the checkpoint');
    // Compared and kept as one, and kept before the cosignature leaves.
    const outcome = await this.#options.store.transaction(async (tx) => {
      const held = await heldIn(tx, checkpoint.origin);
      const refusal = refusalOf(request, held);
      if (refusal !== undefined) return { refusal, held };
      const seconds = Math.floor((this.#options.clock ?? Date).now() / 1000);
      const lines = this.#cosigner().cosign(checkpoint.text, seconds);
      await keep(tx, rowOf(checkpoint, signatures + lines, seconds * 1000), held);
      return { lines };
    });
    if (outcome.lines !== undefined) return { kind: 'cosigned', lines: outcome.lines };
    const { refusal, held } = outcome;
    const evidence = { offered: `${checkpoint.text}\n${signatures}`, held: held?.note };
    if (refusal !== 'stale') this.#report(refusal, checkpoint.origin, evidence);
    return refused(refusal, checkpoint.size, held?.size ?? 0);
  }

  async checkpoint(origin: string): Promise<string | undefined> {
    return (await heldIn(this.#options.store.db, origin))?.note;
  }

  #cosigner(): Cosigner {
    this.#opened ??= this.#options.cosigner();
    return this.#opened;
  }

  /**
   * Anybody can send a wrong proof, so that not every one is worth a line; two roots of one size,
   * which only the log itself can have signed, must not go under in them.
   */
  #report(refusal: Refusal, origin: string, evidence: object): void {
    const kind = `${refusal} ${origin}`;
    const last = this.#reported.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < reportEveryMs) return;
    this.#reported.set(kind, performance.now());
    const message = `the audit log ${origin} does not continue what was cosigned`;
    this.#options.report?.(`${message}: ${refusal}`, evidence);
  }
}

function refused(refusal: Refusal, size: number, held: number): Witnessing {
  if (refusal !== 'no proof of consistency') return { kind: 'conflict', size: held };
  const message = `the proof does not lead from ${held} entries to ${size}`;
  throw new ServiceError('inconsistent_checkpoint', 422, message);
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

type Refusal = 'stale' | 'another root of the same size' | 'no proof of consistency';

/** Why a checkpoint must not be cosigned, in the order of C2SP tlog-witness. */
function refusalOf(
  { old, proof, checkpoint }: WitnessRequest,
  held: WitnessedLogRow | undefined,
): Refusal | undefined {
  const { size = 0 } = held ?? {};
  if (old !== size) return 'stale';
  const root = held === undefined ? emptyRoot : Buffer.from(held.root, 'base64');
  if (checkpoint.size === size && size > 0 && !root.equals(checkpoint.root))
    return 'another root of the same size';
  if (checkpoint.size === 0 && !emptyRoot.equals(checkpoint.root)) return 'no proof of consistency';
  const consistent =
    size === 0 ? proof.length === 0 : verifyConsistency({ size, root }, checkpoint, proof);
  return consistent ? undefined : 'no proof of consistency';
}

function rowOf(
  { origin, size, root, text }: SubmittedCheckpoint,
  signatures: string,
  cosigned_at: number,
): WitnessedLogRow {
  const note = `${text}\n${signatures}`;
  return { tenant, origin, size, root: Buffer.from(root).toString('base64'), note, cosigned_at };
}

function heldIn(db: Store<Tables>['db'], origin: string): Promise<WitnessedLogRow | undefined> {
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
