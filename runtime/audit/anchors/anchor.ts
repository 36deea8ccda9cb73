import type { AuditCheckpoint, AuditLog } from '#contract/house/audit';

/** What an anchor may read of the log whose checkpoint it keeps. */
export type AnchoredLog = Pick<
  AuditLog,
  'origin' | 'tile' | 'entriesBundle' | 'consistency' | 'keys' | 'proof'
>;

/** A place for checkpoints outside of what somebody with the log's database can change. */
export interface Anchor {
  /** Names the place in reports, without secrets. */
  readonly target: string;
  /** How often a checkpoint goes there while entries are added. */
  readonly everyMs: number;
  /** How long bringing a checkpoint there may take; ten seconds where an anchor does not say. */
  readonly deadlineMs?: number;
  /** Its references are cosignatures, to be shown below the checkpoint (C2SP tlog-cosignature). */
  readonly cosigns?: boolean;
  /** Read the newest checkpoint of the log that is kept there. */
  newest(origin: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Keep a checkpoint of `log` there, and say under which reference; `undefined` when a newer one of
   * the same log is kept already.
   *
   * @throws ForkedLog
   */
  put(
    checkpoint: AuditCheckpoint,
    log: AnchoredLog,
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

/** An anchor knows entries that the log does not have: it was rolled back, or it was forked. */
export class ForkedLog extends Error {}

/** An anchor holds something else than a checkpoint of the log: nobody can say whether it agrees. */
export class UnreadableAnchor extends Error {}

/** Wait no longer than a signal allows: a file system or a peer may never answer. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(reasonOf(signal));
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A timeout is told in words, without the members of a DOMException. */
export function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new Error('it has not answered in time');
  }
  return reason instanceof Error ? reason : new Error(String(reason));
}
