import { Worker } from 'node:worker_threads';
import { ToolError } from '#contract/errors';
import { moduleFile } from '../../process/module-file.ts';
import { tooHeavy, unreadable } from '../call/unusable-answer.ts';
import type { Digested, DigestJob } from './digest.ts';
import type { FromThread, ThreadLimits } from './messages.ts';

/** A thread that nobody needs gives its memory back after this time. */
const idleMs = 5_000;

interface Running {
  readonly settle: (digested: Digested) => void;
  readonly fail: (error: Error) => void;
}

export interface ThreadOptions extends ThreadLimits {
  /** How long one answer may take. */
  readonly digestMs: number;
  /** Something is over: the thread takes the next answer, or has ended. */
  readonly onChange: () => void;
}

/** A thread that reads large answers, one at a time. */
export class DigestThread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  #running: Running | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: ThreadOptions) {
    const { maxBytes, mostWeight } = options;
    this.#options = options;
    this.#worker = new Worker(moduleFile('./digest-worker', import.meta.url), {
      name: 'answers',
      workerData: { maxBytes, mostWeight } satisfies ThreadLimits,
      resourceLimits: {
        // Above what is weighed, which the text, the result and garbage come on top of.
        maxOldGenerationSizeMb: Math.ceil((mostWeight + 2 * maxBytes) / 1_000_000) + 16,
        maxYoungGenerationSizeMb: 8,
      },
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    // What it needs beyond its limits ends the thread alone (ERR_WORKER_OUT_OF_MEMORY).
    this.#worker.on('error', () => this.#end(tooHeavy(mostWeight)));
    this.#worker.on('exit', () => this.#end(unreadable('this server is stopping')));
    this.#worker.unref();
  }

  get isFree(): boolean {
    return this.#running === undefined && !this.#isOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Read an answer, whose body is given away.
   *
   * @throws ToolError
   */
  run(job: DigestJob): Promise<Digested> {
    return new Promise((settle, fail) => {
      this.#running = { settle, fail };
      this.#worker.ref();
      this.#wakeIn(this.#options.digestMs, () => {
        this.#end(unreadable(`it takes longer than ${this.#options.digestMs} ms to read`));
        void this.terminate();
      });
      this.#worker.postMessage(job, [job.body.buffer as ArrayBuffer]);
    });
  }

  async terminate(): Promise<void> {
    this.#end(unreadable('this server is stopping'));
    await this.#worker.terminate();
  }

  #hear(message: FromThread): void {
    const running = this.#take();
    this.#worker.unref();
    this.#wakeIn(idleMs, () => void this.terminate());
    if (message.ok) running?.settle(message.digested);
    else running?.fail(new ToolError(message.code, message.message, message.detail));
    this.#options.onChange();
  }

  #end(reason: ToolError): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
    this.#take()?.fail(reason);
    this.#options.onChange();
  }

  #take(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    return running;
  }

  #wakeIn(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms).unref();
  }
}
