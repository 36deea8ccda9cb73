import type { AuditAnchorStatus, AuditCheckpoint } from '#contract/audit';
import type { Anchor, AnchoredLog } from './anchor.ts';
import type { Anchored } from './writer-messages.ts';

const deadlineMs = 10_000;
/** How long somebody who wants everything anchored waits; a large copy goes on behind him. */
const patienceMs = 10_000;
const firstRetryMs = 1000;
const lastRetryMs = 300_000;

interface Place {
  readonly anchor: Anchor;
  /** The newest checkpoint that there is. */
  wanted: AuditCheckpoint | undefined;
  busy: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  due: number;
  failures: number;
  status: AuditAnchorStatus;
}

/** Brings checkpoints to the anchors, each at its own pace; a failure is reported and tried again. */
export class Anchoring {
  readonly #log: AnchoredLog;
  readonly #places: readonly Place[];
  readonly #done: (anchored: Anchored) => void;
  readonly #failed: (target: string, error: unknown) => void;
  readonly #end = new AbortController();

  constructor(
    log: AnchoredLog,
    anchors: readonly Anchor[],
    done: (anchored: Anchored) => void,
    failed: (target: string, error: unknown) => void,
  ) {
    this.#log = log;
    this.#done = done;
    this.#failed = failed;
    this.#places = anchors.map((anchor) => ({
      anchor,
      wanted: undefined,
      busy: undefined,
      timer: undefined,
      due: 0,
      failures: 0,
      status: { target: anchor.target },
    }));
  }

  get status(): readonly AuditAnchorStatus[] {
    return this.#places.map(({ status }) => status);
  }

  /** Read what the anchors know of the log; an anchor that cannot be reached is reported. */
  async newest(): Promise<string[]> {
    const notes = await Promise.all(
      this.#places.map(async (place) => {
        try {
          return await place.anchor.newest(this.#log.origin, AbortSignal.timeout(deadlineMs));
        } catch (error) {
          this.#fail(place, error);
          return undefined;
        }
      }),
    );
    return notes.filter((note) => note !== undefined);
  }

  /** Have a new checkpoint brought to each anchor as soon as its time comes. */
  offer(checkpoint: AuditCheckpoint): void {
    for (const place of this.#places) {
      place.wanted = checkpoint;
      this.#schedule(place);
    }
  }

  /** Bring a checkpoint to every anchor that has not got it; whoever waits does not wait for long. */
  async all(checkpoint: AuditCheckpoint): Promise<void> {
    const everywhere = Promise.all(this.#places.map((place) => this.#bring(place, checkpoint)));
    await atMost(patienceMs, everywhere);
  }

  /** Bring the last checkpoint everywhere, and give up what takes too long: the next start goes on. */
  async finish(checkpoint: AuditCheckpoint | undefined): Promise<void> {
    if (checkpoint !== undefined) await this.all(checkpoint);
    this.#end.abort(new Error('the log was closed before everything was there'));
    for (const { timer } of this.#places) clearTimeout(timer);
    await atMost(1000, this.#idle());
  }

  async #idle(): Promise<void> {
    await Promise.all(this.#places.map(({ busy }) => busy));
  }

  async #bring(place: Place, checkpoint: AuditCheckpoint): Promise<void> {
    while (place.busy !== undefined) await place.busy;
    const isThere = (place.status.size ?? -1) >= checkpoint.size;
    if (!isThere && !this.#end.signal.aborted) await this.#put(place, checkpoint);
  }

  #schedule(place: Place): void {
    const { wanted, busy, timer, due, status } = place;
    const waits = busy !== undefined || timer !== undefined || this.#end.signal.aborted;
    if (waits || wanted === undefined || wanted.size <= (status.size ?? -1)) return;
    const wait = due - performance.now();
    if (wait <= 0) {
      void this.#put(place, wanted);
      return;
    }
    // A process that has nothing else to do does not live on for an anchor.
    place.timer = setTimeout(() => {
      place.timer = undefined;
      this.#schedule(place);
    }, wait).unref();
  }

  #put(place: Place, checkpoint: AuditCheckpoint): Promise<void> {
    place.due = performance.now() + place.anchor.everyMs;
    place.busy = this.#attempt(place, checkpoint).finally(() => {
      place.busy = undefined;
      this.#schedule(place);
    });
    return place.busy;
  }

  async #attempt(place: Place, checkpoint: AuditCheckpoint): Promise<void> {
    const { target, deadlineMs: own = deadlineMs } = place.anchor;
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(own)]);
    try {
      const reference = await place.anchor.put(checkpoint, this.#log, signal);
      const at = new Date().toISOString();
      place.status = { target, size: checkpoint.size, at };
      place.failures = 0;
      this.#done({ size: checkpoint.size, target, reference, at });
    } catch (error) {
      const pause = Math.min(firstRetryMs * 2 ** place.failures++, lastRetryMs);
      place.due = performance.now() + pause;
      place.wanted ??= checkpoint;
      this.#fail(place, error);
    }
  }

  #fail(place: Place, error: unknown): void {
    const failure = error instanceof Error ? error.message : String(error);
    place.status = { ...place.status, failure };
    this.#failed(place.anchor.target, error);
  }
}

/** Wait for some work, and no longer than this. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
