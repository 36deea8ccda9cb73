import { ServiceError } from '#contract/errors';

/** Shares of the lease after which it is renewed, so that one lost renewal does no harm. */
const renewalsPerLease = 3;

/**
 * The right to run a job for some time. `signal` is aborted when it is lost; whoever runs the job
 * stops before anybody else may start it.
 */
export class Lease {
  readonly #abort = new AbortController();
  readonly #lengthMs: number;
  readonly #renew: () => Promise<boolean>;
  #expiry: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;

  /** @param askedAt `performance.now()` from before the database set the end of the lease */
  constructor(lengthMs: number, askedAt: number, renew: () => Promise<boolean>) {
    this.#lengthMs = lengthMs;
    this.#renew = renew;
    this.#extend(askedAt);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Abort the run, for example because the server stops. */
  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  end(): void {
    clearTimeout(this.#expiry);
    clearTimeout(this.#renewal);
    this.#expiry = undefined;
    this.#renewal = undefined;
  }

  #extend(askedAt: number): void {
    this.end();
    const left = askedAt + this.#lengthMs - performance.now();
    this.#expiry = setTimeout(() => this.#lose(), left);
    this.#renewal = setTimeout(() => void this.#report(), this.#lengthMs / renewalsPerLease);
  }

  async #report(): Promise<void> {
    const askedAt = performance.now();
    const renewed = await this.#renew().catch(() => undefined);
    if (this.#expiry === undefined) return;
    if (renewed === false) return this.#lose();
    if (renewed) return this.#extend(askedAt);
    // The database does not answer: go on trying until the lease ends.
    this.#renewal = setTimeout(() => void this.#report(), this.#lengthMs / renewalsPerLease / 4);
  }

  #lose(): void {
    this.end();
    this.abort(leaseLost());
  }
}

export function leaseLost(): ServiceError {
  return new ServiceError('lease_lost', 409, 'another server has taken this job over');
}
