import { type EventParts, renderEvent } from './canonical-event.ts';
import { clockEvent } from './own-events.ts';

/** A clock that is less behind the newest entry was only moved a little: `clock_skew_ms` says so. */
const toleratedAheadMs = 60_000;

/** Replicas whose clocks differ must not correct each other with each entry. */
const betweenCorrectionsMs = 3_600_000;

const reservedBytes = 1000;

/** Brings a log back to the time whose newest entry was written by a clock that was ahead. */
export class ClockWatch {
  readonly #origin: string;
  readonly #passed: () => number;
  #correctedAt: number | undefined;

  constructor(origin: string, passed: () => number = () => performance.now()) {
    this.#origin = origin;
    this.#passed = passed;
  }

  /**
   * The entry that comes in front of one of the time `at`, where the newest one claims to be of
   * `lastTime`: it says so, and carries the time itself. Absent where that is not needed.
   */
  correction(at: number, lastTime: number): EventParts | undefined {
    if (lastTime - at <= toleratedAheadMs) return undefined;
    const now = this.#passed();
    if (this.#correctedAt !== undefined && now - this.#correctedAt < betweenCorrectionsMs) {
      return undefined;
    }
    this.#correctedAt = now;
    return renderEvent(clockEvent(this.#origin, { at, lastTime }), reservedBytes);
  }
}
