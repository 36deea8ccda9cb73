import type { AuditCheckpoint, AuditKey } from '#contract/house/audit';
import type { KeptNote } from '../anchors/outside.ts';
import type { Seeds } from '../keys/key-ring.ts';
import type { LogIdentity } from '../keys/log-identity.ts';
import type { Cosignature } from '../tree/read-answers.ts';
import type { EventParts } from './canonical-event.ts';

/** What the writer thread is started with. */
export interface WriterData {
  readonly path: string;
  readonly identity: LogIdentity;
  readonly seeds: Seeds;
  /** Checkpoints that are kept elsewhere. */
  readonly outside: readonly KeptNote[];
  /** The entry by which the log goes over to the newest of the keys. */
  readonly handover: Handover | undefined;
}

export interface Handover {
  readonly rotation: EventParts;
  /** The first entry, for a log that is still empty. */
  readonly opening: EventParts;
}

export interface Anchored {
  readonly size: number;
  readonly target: string;
  readonly reference: string;
  readonly at: string;
}

/** A checkpoint with what the witnesses added to it. */
export interface CosignedCheckpoint {
  readonly checkpoint: AuditCheckpoint;
  readonly cosignatures: readonly Cosignature[];
}

export type ToWriter =
  /** `count` events as `EventBatch` packs them, all stamped with the same time. */
  | {
      readonly kind: 'append';
      readonly at: number;
      readonly count: number;
      readonly events: Uint8Array;
    }
  | { readonly kind: 'sign'; readonly id: number }
  | { readonly kind: 'anchored'; readonly anchored: Anchored }
  | { readonly kind: 'close' };

export type FromWriter =
  | {
      readonly kind: 'appended';
      readonly first: number;
      readonly times: readonly number[];
      readonly hashes: Uint8Array;
      /** By how much the clock had been ahead, where an entry in front of these corrects that. */
      readonly aheadMs?: number;
    }
  /** The oldest `count` events that were not answered yet are not written. */
  | {
      readonly kind: 'refused';
      readonly count: number;
      /** The answer to their commit was lost: perhaps they are written after all. */
      readonly unknown?: boolean;
    }
  | { readonly kind: 'checkpoint'; readonly checkpoint: AuditCheckpoint }
  | { readonly kind: 'signed'; readonly id: number }
  | {
      readonly kind: 'state';
      readonly state: 'open' | 'failed' | 'rolled_back';
      readonly reason?: string;
      /** The newest first; a start may have rotated them. */
      readonly keys?: readonly AuditKey[];
      readonly size: number;
      /** What the log ended with when it was opened, so that no reader has to be started for it. */
      readonly newest?: CosignedCheckpoint | undefined;
    }
  | { readonly kind: 'closed' };
