import type { AuditKey } from '#contract/house/audit';
import { StartError } from '../../process/start-error.ts';
import type { LogIdentity } from './log-identity.ts';
import { Signer } from './signing-key.ts';

/** Private keys as 32 bytes each; they never enter the database. */
export interface Seeds {
  readonly newest: Uint8Array;
  /** The one that `newest` replaces, as long as it is at hand. */
  readonly previous?: Uint8Array | undefined;
}

/** Another process has handed the log over to a key that this one does not have. */
export class KeyReplaced extends Error {
  constructor(newest: string | undefined, own: string) {
    super(
      `its signing key was replaced: expected that of ${newest}, found that of ${own}; give this server the new key`,
    );
  }
}

/** The keys that this process may sign a log with. */
export class KeyRing {
  /** Verifier key of the one that is to sign. */
  readonly vkey: string;
  readonly previous: string | undefined;
  readonly #signers: ReadonlyMap<string, Signer>;

  constructor(origin: string, { newest, previous }: Seeds) {
    const signer = new Signer(origin, newest);
    const older = previous && new Signer(origin, previous);
    this.vkey = signer.vkey;
    this.previous = older?.vkey;
    this.#signers = new Map([older ?? signer, signer].map((each) => [each.vkey, each]));
  }

  /**
   * Sign the tree head of a log that has `keys` by now: by its newest key and, for those who know
   * only the key before, by that one too while it is at hand.
   *
   * @throws KeyReplaced when another process has rotated the key
   */
  checkpoint(keys: readonly AuditKey[], size: number, root: Uint8Array): string {
    const [signer, older] = keys.slice(0, 2).map(({ vkey }) => this.#signers.get(vkey));
    if (signer === undefined) throw new KeyReplaced(keys[0]?.vkey, this.vkey);
    const note = signer.checkpoint(size, root);
    if (older === undefined) return note;
    return note + older.signatureLine(note.slice(0, note.indexOf('\n\n') + 1));
  }
}

/**
 * Whether the log has to be handed over to the new key of the ring first.
 *
 * @throws StartError when the ring has not got the log's newest key
 */
export function mustRotate({ origin, vkey, keys }: LogIdentity, ring: KeyRing): boolean {
  if (ring.vkey === vkey) return false;
  const expected = `expected that of ${vkey}, found that of ${ring.vkey}`;
  if (keys.some((key) => key.vkey === ring.vkey)) {
    throw new StartError(
      `the signing key of the audit log ${origin} was replaced by a newer one: ${expected}`,
    );
  }
  if (ring.previous === vkey) return true;
  const other = ring.previous === undefined ? '' : ` (now it is that of ${ring.previous})`;
  throw new StartError(
    `the audit log ${origin} is signed with another key: ${expected}; give this server the former as SERVICE_AUDIT_KEY or, to hand the log over to the latter, the former as SERVICE_AUDIT_PREVIOUS_KEY${other}`,
  );
}
