import type { JsonObject } from '../json.ts';

export const auditCategories = [
  'payment',
  'observability',
  'governance',
  'identity',
  'hitl',
  'system',
] as const;

/** What became of an act. `intent` stands before an act that cannot be undone; its outcome follows. */
export const auditOutcomes = ['intent', 'ok', 'denied', 'failed'] as const;

export interface AuditActor {
  readonly type: 'agent' | 'user' | 'system';
  readonly id: string;
  readonly registration?: string;
}

/** Something that happened, as its author tells it; the names are those of the entry. */
export interface AuditEvent {
  readonly category: (typeof auditCategories)[number];
  /** The event's name in the catalogue, such as `AGENT_NOTE`. */
  readonly action: string;
  readonly actor: AuditActor;
  readonly tenant: string | null;
  /** The resource that was acted on. */
  readonly subject: string | null;
  readonly outcome: (typeof auditOutcomes)[number];
  readonly correlation_id: string | null;
  /** One line, without secrets. */
  readonly summary: string;
  /** Integers within 2^53 - 1 only: money and fractions are decimal strings. */
  readonly payload: JsonObject;
  /** Lower-case hex digest of a payload that is kept elsewhere. */
  readonly payload_sha256?: string;
}

/** An event in its place: what is canonicalized (RFC 8785), hashed and kept for ever. */
export interface AuditEntry extends AuditEvent {
  readonly v: 1;
  /** Origin of the log. */
  readonly log: string;
  /** 0, 1, 2, ...: equals the index of the leaf. */
  readonly seq: number;
  /** Hash of the entry before, in hex; 64 zeros for the first. */
  readonly prev_hash: string;
  /** RFC 3339 with milliseconds, in UTC; never earlier than that of the entry before. */
  readonly ts: string;
}

/** An entry as it is kept. `canonical` is the very text that `hash` (hex SHA-256) covers. */
export interface AuditRecord {
  readonly entry: AuditEntry;
  readonly canonical: string;
  readonly hash: string;
}

/** The entry is on disk, flushed, at this place. */
export interface AuditReceipt {
  readonly seq: number;
  readonly hash: string;
  readonly ts: string;
}

/** A signed tree head (C2SP tlog-checkpoint); `note` is its public text, verbatim. */
export interface AuditCheckpoint {
  readonly size: number;
  /** Base64, as in the note. */
  readonly root: string;
  readonly note: string;
}

/** A key that signs checkpoints. */
export interface AuditKey {
  /** Verifier key (C2SP signed-note). */
  readonly vkey: string;
  /** The first tree size that it signed; the key before signed that checkpoint as well. */
  readonly since: number;
}

/** Which entries to list: newest first; absent members do not narrow. */
export interface AuditQuery {
  readonly tenant?: string | undefined;
  readonly category?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly correlation_id?: string | undefined;
  /** Only entries before this sequence number: the `next` of the page before. */
  readonly before?: number | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
}

/** A page may hold less than its limit, even nothing, and still have a `next`: scans are bounded. */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** Entries in the whole log, whoever wrote them. */
  readonly size: number;
  /** Give it as `before` for the next page; absent at the beginning of the log. */
  readonly next?: number;
}

export interface AuditIssue {
  /** The first entry that the issue touches; for a checkpoint, its size. */
  readonly seq: number;
  /** `bytes_not_canonical`, `seq_gap`, `prev_hash_mismatch`, ... (see the verifier). */
  readonly reason: string;
  readonly detail?: string;
}

export interface AuditVerification {
  readonly ok: boolean;
  readonly records: number;
  readonly head_hash: string;
  /** The newest signed checkpoint that was checked, verbatim. */
  readonly checkpoint: string | null;
  /** The first issue first; at most a hundred. */
  readonly issues: readonly AuditIssue[];
}

export interface AuditStatus {
  /** `open` takes entries; the others refuse them with a ServiceError of status 503. */
  readonly state: 'open' | 'failed' | 'rolled_back' | 'closed';
  /** Why the log takes no entries. */
  readonly reason?: string;
  readonly size: number;
  readonly checkpoint: AuditCheckpoint | undefined;
  /** What each anchor last took, and its last failure. */
  readonly anchors: readonly AuditAnchorStatus[];
}

export interface AuditAnchorStatus {
  readonly target: string;
  readonly size?: number;
  readonly at?: string;
  readonly failure?: string;
}

/** Writes one call of a recurring event, `value` being an integer from 0; it never fails. */
export type RecurringAppend = (correlationId: string, value: number) => void;

/**
 * The write-once log. Reads speak of what is committed; a read beyond the end answers `undefined`.
 * Nothing here waits for the disk on the calling thread.
 */
export interface AuditLog {
  /** `<host>/audit`, fixed when the log was created. */
  readonly origin: string;
  /** The newest verifier key of the checkpoints (C2SP signed-note). */
  readonly vkey: string;
  /** All its keys, the newest first. */
  readonly keys: readonly AuditKey[];
  /**
   * Write `event` and resolve once it is flushed to disk.
   *
   * @throws ServiceError `audit_invalid_event` (400, the field in `detail.field`; nothing is
   * written), `audit_unavailable`, `audit_overloaded` or `audit_rollback_detected` (503)
   */
  append(event: AuditEvent): Promise<AuditReceipt>;
  /**
   * Write `event` some milliseconds later, with others, for an author that does not wait. `lost`
   * hears why it could not be written, as `append` would throw it.
   */
  appendLater(event: AuditEvent, lost: (error: unknown) => void): void;
  /**
   * Prepare an event that is written over and over, in which only its call and the member `integer`
   * of its payload are others each time. What it gives writes one as `appendLater` does, for a
   * fraction of the time.
   *
   * @throws ServiceError `audit_invalid_event`
   */
  recurring(event: AuditEvent, integer: string, lost: (error: unknown) => void): RecurringAppend;
  /** The newest signed checkpoint. */
  checkpoint(): Promise<AuditCheckpoint>;
  /** The first `width` hashes (256 by default) of a tile (C2SP tlog-tiles). */
  tile(level: number, index: number, width?: number): Promise<Uint8Array | undefined>;
  /** The first `width` entries of bundle `index`, each after its length in two bytes. */
  entriesBundle(index: number, width?: number): Promise<Uint8Array | undefined>;
  entry(seq: number): Promise<AuditRecord | undefined>;
  /**
   * The tlog-proof of an entry against the checkpoint of `size`, which must be a signed one; without
   * `size` against the newest, which is made at once where the entry is younger than the newest.
   */
  proof(seq: number, size?: number): Promise<string | undefined>;
  /** Base64 hashes that prove the tree of `from` entries to be the beginning of the one of `to`. */
  consistency(from: number, to: number): Promise<readonly string[] | undefined>;
  list(query: AuditQuery): Promise<AuditPage>;
  /** Check everything, in a thread of its own. */
  verify(): Promise<AuditVerification>;
  status(): AuditStatus;
  /** Sign a checkpoint now and give it to every anchor: after a refund or an applied configuration. */
  anchorNow(): Promise<AuditCheckpoint>;
  /** Flush, sign, anchor and let go of the files. */
  close(): Promise<void>;
}
