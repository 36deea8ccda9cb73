import { Session } from 'node:inspector/promises';
import type { Fate } from '../otlp/batches.ts';
import { foldedStacks } from './folded-stacks.ts';
import type { ProfileSettings } from './profile-settings.ts';
import { pushProfile } from './push-profile.ts';

/** Samples in a second. */
export const sampleRate = 100;
/** Time to push a profile. */
const pushMs = 5000;
/** The same for the last one, which the end of the server waits for. */
const lastMs = 700;

/** Takes a profile at every interval and pushes it, one at a time. */
export class Profiles {
  readonly #settings: ProfileSettings;
  readonly #fate: Fate;
  readonly #session = new Session();
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #since = Date.now();
  #isTaking = false;
  #isPushing = false;

  constructor(settings: ProfileSettings, fate: Fate) {
    this.#settings = settings;
    this.#fate = fate;
  }

  async open(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.setSamplingInterval', { interval: 1e6 / sampleRate });
    await this.#session.post('Profiler.start');
    this.#since = Date.now();
    this.#timer = setInterval(() => void this.#next(), this.#settings.intervalMs).unref();
  }

  /** Push what was seen last, and end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort(new Error('the server ends'));
    const last = new AbortController();
    // This timer keeps the process until what is stopped after this is stopped as well.
    const timer = setTimeout(() => last.abort(new Error('not taken in time')), lastMs);
    await this.#next(last.signal);
    clearTimeout(timer);
    this.#session.disconnect();
  }

  async #next(signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(pushMs)])) {
    if (this.#isTaking) return;
    this.#isTaking = true;
    const isLast = this.#end.signal.aborted;
    try {
      const { profile } = await this.#session.post('Profiler.stop');
      const span = { from: this.#since, until: Date.now() };
      this.#since = span.until;
      if (!isLast) await this.#session.post('Profiler.start');
      this.#isTaking = false;
      await this.#push(foldedStacks(profile), span, signal, isLast);
    } catch (error) {
      this.#isTaking = false;
      this.#fate.lost(1, 'failed', error as Error);
    }
  }

  async #push(
    text: string,
    span: { readonly from: number; readonly until: number },
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<void> {
    // A server that did nothing has nothing to tell.
    if (text === '') return;
    if (this.#isPushing && !isLast) {
      this.#fate.lost(1, 'full');
      return;
    }
    this.#isPushing = true;
    try {
      await pushProfile(this.#settings, { text, sampleRate, ...span }, signal);
      this.#fate.sent();
    } finally {
      this.#isPushing = false;
    }
  }
}
