import type { CallContext } from '#contract/caller';
import type { Clock } from './clock.ts';

type Report = NonNullable<CallContext['progress']>;

/** So often whoever waits hears that the call goes on. */
const intervalMs = 3_000;

/**
 * Tells the client how far a call has come. What it reports only grows (MCP 2026-07-28, progress):
 * whole numbers are items that have been read, fractions the signs of life between them.
 */
export class CallProgress {
  readonly #report: Report;
  readonly #clock: Clock;
  readonly #vendor: string;
  #callOff: () => void = () => {};
  #done = 0;
  #total: number | undefined;

  constructor(report: Report, vendor: string, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
    this.#vendor = vendor;
    this.#repeat();
  }

  /** Say what the call waits for. */
  waits(what: string, ms?: number): void {
    const long = ms === undefined ? '' : ` for ${Math.ceil(ms / 1000)} s`;
    this.#tell(this.#done + (Math.floor(this.#done) + 1 - this.#done) / 2, `${what}${long}`);
  }

  /** Say how many of the items of a list have been read. */
  read(done: number, total: number): void {
    this.#total = total;
    this.#tell(done, `read ${done} of ${total}`);
  }

  /** Fall silent: the call is over. */
  close(): void {
    this.#callOff();
  }

  #repeat(): void {
    this.#callOff = this.#clock.schedule(intervalMs, () => {
      this.#repeat();
      this.waits(`waiting for ${this.#vendor}`);
    });
  }

  #tell(done: number, message: string): void {
    // The halves of a long wait grow too small to count in the end.
    if (done <= this.#done) return;
    this.#done = done;
    this.#report(done, this.#total, message);
  }
}
