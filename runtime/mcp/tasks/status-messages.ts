import type { CallContext } from '#contract/caller';
import { logLevels } from '#contract/client';
import type { Json } from '#contract/json';

const longest = 500;
const leastLevel = logLevels.indexOf('info');

/**
 * What a tool says of its progress while it runs as a task. The newest word is written down, at most
 * one in each interval, so that a talkative tool does not keep the store busy.
 */
export class StatusMessages {
  readonly #write: (text: string) => Promise<unknown>;
  readonly #intervalMs: number;
  #next: string | undefined;
  #writing: Promise<void> | undefined;
  #pause: { readonly timer: NodeJS.Timeout; readonly end: () => void } | undefined;
  #closed = false;

  /** @param write does not fail */
  constructor(write: (text: string) => Promise<unknown>, intervalMs: number) {
    this.#write = write;
    this.#intervalMs = intervalMs;
  }

  readonly progress: NonNullable<CallContext['progress']> = (done, total, message) => {
    this.#say(message ?? (total === undefined ? `${done}` : `${done} of ${total}`));
  };

  readonly log: NonNullable<CallContext['log']> = (level, data) => {
    if (logLevels.indexOf(level) >= leastLevel) this.#say(textOf(data));
  };

  /** Write nothing any more: there is an outcome now. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#next = undefined;
    if (this.#pause) {
      clearTimeout(this.#pause.timer);
      this.#pause.end();
    }
    await this.#writing;
  }

  #say(text: string): void {
    if (this.#closed) return;
    this.#next = cleaned(text);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#next !== undefined) {
      const text = this.#next;
      this.#next = undefined;
      await this.#write(text);
      if (this.#closed) return;
      await new Promise<void>((end) => {
        this.#pause = { timer: setTimeout(end, this.#intervalMs).unref(), end };
      });
    }
  }
}

function textOf(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** One line that every database takes. */
function cleaned(text: string): string {
  const short = text.slice(0, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return short.toWellFormed().trim();
}
