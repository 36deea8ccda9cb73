import type { AuditAnchorStatus, AuditCheckpoint } from '#contract/audit';
import type { Anchor, AnchoredLog } from './anchor.ts';
import type { Anchored } from './writer-messages.ts';

const deadlineMs = 10_000;

interface Place {
  readonly anchor: Anchor;
  busy: Promise<void> | undefined;
  lastStart: number;
  status: AuditAnchorStatus;
}

/** Brings checkpoints to the anchors, each at its own pace; a failure is reported and tried again. */
export class Anchoring {
  readonly #log: AnchoredLog;
  readonly #places: readonly Place[];
  readonly #done: (anchored: Anchored) => void;
  readonly #failed: (target: string, error: unknown) => void;

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
      busy: undefined,
      lastStart: Number.NEGATIVE_INFINITY,
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

  /** Bring a new checkpoint to the anchors whose time it is. */
  offer(checkpoint: AuditCheckpoint): void {
    for (const place of this.#places) {
      const due = performance.now() - place.lastStart >= place.anchor.everyMs;
      if (due && place.busy === undefined) this.#put(place, checkpoint);
    }
  }

  /** Bring a checkpoint to every anchor that has not got it. */
  async all(checkpoint: AuditCheckpoint): Promise<void> {
    await Promise.all(
      this.#places.map(async (place) => {
        await place.busy;
        if (place.status.size !== checkpoint.size) await this.#put(place, checkpoint);
      }),
    );
  }

  #put(place: Place, checkpoint: AuditCheckpoint): Promise<void> {
    place.lastStart = performance.now();
    place.busy = this.#attempt(place, checkpoint).finally(() => {
      place.busy = undefined;
    });
    return place.busy;
  }

  async #attempt(place: Place, checkpoint: AuditCheckpoint): Promise<void> {
    const { target } = place.anchor;
    try {
      const reference = await place.anchor.put(
        checkpoint,
        this.#log,
        AbortSignal.timeout(deadlineMs),
      );
      const at = new Date().toISOString();
      place.status = { target, size: checkpoint.size, at };
      this.#done({ size: checkpoint.size, target, reference, at });
    } catch (error) {
      this.#fail(place, error);
    }
  }

  #fail(place: Place, error: unknown): void {
    const failure = error instanceof Error ? error.message : String(error);
    place.status = { ...place.status, failure };
    this.#failed(place.anchor.target, error);
  }
}
