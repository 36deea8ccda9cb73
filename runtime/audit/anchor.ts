import type { AuditCheckpoint } from '#contract/audit';

/** A place for checkpoints outside of what somebody with the log's database can change. */
export interface Anchor {
  /** Names the place in reports, without secrets. */
  readonly target: string;
  /** How often a checkpoint goes there while entries are added. */
  readonly everyMs: number;
  /** Read the newest checkpoint of the log that is kept there. */
  newest(origin: string, signal: AbortSignal): Promise<string | undefined>;
  /** Keep a checkpoint there, and say under which reference. */
  put(checkpoint: AuditCheckpoint, signal: AbortSignal): Promise<string>;
}
