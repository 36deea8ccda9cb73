import type { AuditAnchorStatus, AuditCheckpoint } from '#contract/house/audit';
import { type Anchor, type AnchoredLog, ForkedLog, orAborted } from '../anchors/anchor.ts';
import { askAnchor, type Outside } from '../anchors/outside.ts';
import type { Anchored } from '../log/writer-messages.ts';
import { type Cosignature, withCosignatures } from '../tree/read-answers.ts';

const deadlineMs = 10_000;
/** The start waits for the answers. */
const askingMs = 5000;
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
  cosignature: { readonly size: number; readonly line: string } | undefined;
  status: AuditAnchorStatus;
}

/** Who hears of what becomes of the checkpoints. */
export interface AnchoringListener {
  anchored(anchored: Anchored): void;
  failed(target: string, error: unknown): void;
  /** A witness has seen another history than that of the log. */
  forked(reason: string): void;
}

/** Brings checkpoints to the anchors, each at its own pace; a failure is reported and tried again. */
export class Anchoring {
  readonly #log: AnchoredLog;
  readonly #places: readonly Place[];
  readonly #listener: AnchoringListener;
  readonly #end = new AbortController();

  constructor(log: AnchoredLog, anchors: readonly Anchor[], listener: AnchoringListener) {
    this.#log = log;
    this.#listener = listener;
    this.#places = anchors.map((anchor) => ({
      anchor,
      wanted: undefined,
      busy: undefined,
      timer: undefined,
      due: 0,
      failures: 0,
      cosignature: undefined,
      status: { target: anchor.target },
    }));
  }

  get status(): readonly AuditAnchorStatus[] {
    return this.#places.map(({ status }) => status);
  }

  /** Read what the anchors know of the log; an anchor that cannot be reached is reported. */
  newest(): Promise<readonly Outside[]> {
    return Promise.all(
      this.#places.map(async (place) => {
        const answer = await askAnchor(place.anchor, this.#log.origin, askingMs);
        if (answer.failure !== undefined) this.#fail(place, answer.failure);
        return answer;
      }),
    );
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

  /** Wait until every witness has answered to the checkpoint that was offered last. */
  async confirmed(): Promise<void> {
    const witnesses = this.#places.filter(({ anchor }) => anchor.cosigns);
    await Promise.all(witnesses.map(({ busy }) => busy));
  }

  /** Take over cosignatures that were kept by another process, or before this one. */
  remember(size: number, kept: readonly Cosignature[]): void {
    for (const { target, line } of kept) {
      const place = this.#places.find(({ anchor }) => anchor.target === target);
      if (place !== undefined) place.cosignature = { size, line };
    }
  }

  /** The checkpoint with the cosignatures that it has got. */
  cosigned(checkpoint: AuditCheckpoint): AuditCheckpoint {
    const lines = this.#places.flatMap(({ anchor: { target }, cosignature }) =>
      cosignature?.size === checkpoint.size ? [{ target, line: cosignature.line }] : [],
    );
    return { ...checkpoint, note: withCosignatures(checkpoint.note, lines) };
  }

  /** Bring the last checkpoint everywhere, and give up what takes too long: the next start goes on. */
  async finish(checkpoint: AuditCheckpoint | undefined): Promise<void> {
    if (checkpoint !== undefined) await this.all(checkpoint);
    this.stop('the log was closed before everything was there');
    await atMost(1000, this.#idle());
  }

  /** Bring nothing more anywhere. */
  stop(reason: string): void {
    this.#end.abort(new Error(reason));
    for (const { timer } of this.#places) clearTimeout(timer);
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
      const bringing = place.anchor.put(checkpoint, this.#log, signal);
      const reference = await orAborted(signal, bringing);
      const at = new Date().toISOString();
      place.status = { target, size: checkpoint.size, at };
      place.failures = 0;
      if (reference === undefined) return;
      if (place.anchor.cosigns) place.cosignature = { size: checkpoint.size, line: reference };
      this.#listener.anchored({ size: checkpoint.size, target, reference, at });
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
    if (error instanceof ForkedLog) this.#listener.forked(failure);
    else this.#listener.failed(place.anchor.target, error);
  }
}

/** Wait for some work, and no longer than this. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
