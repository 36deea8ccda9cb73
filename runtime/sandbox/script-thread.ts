import { Worker } from 'node:worker_threads';
import type { ScriptEnd, ScriptHost } from '#contract/house/sandbox';
import { moduleFile } from '../process/module-file.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/** How long a thread may be silent, in times of what a script may compute: it takes what others leave. */
const patience = 5;
/** How often a thread that does not say anything is asked what it has computed, at most. */
const lookMs = 50;
const none = { user: 0, system: 0 };
/** How long a thread may take to drop a script. */
const stopMs = 250;

interface Run {
  readonly host: ScriptHost;
  readonly controller: AbortController;
  readonly end: PromiseWithResolvers<ScriptEnd>;
  /** The thread has started, and runs the script from now on. */
  readonly began: () => void;
  calls: number;
  running: number;
}

/** What becomes of a thread: it has ended a script, has had none for long, has ended itself. */
interface ThreadEvents {
  readonly free: () => void;
  readonly idle: () => void;
  readonly gone: () => void;
}

/** A thread with interpreters. It runs one script at a time. */
export class ScriptThread {
  readonly #worker: Worker;
  readonly #limits: ThreadData['limits'];
  readonly #on: ThreadEvents;
  readonly #idleMs: number;
  #run: Run | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** What the thread had computed when the script began, in milliseconds. */
  #computedBefore = 0;
  /** The thread has been told to run a script, and has not said yet that it ended. */
  #isTaken = false;
  /** What it says from now on comes too late. */
  #isEnding = false;

  constructor(data: ThreadData, on: ThreadEvents, idleMs: number) {
    this.#limits = data.limits;
    this.#on = on;
    this.#idleMs = idleMs;
    this.#worker = new Worker(moduleFile('./script-worker', import.meta.url), {
      name: 'script',
      workerData: data,
      // Neither the environment, where credentials may be, nor the output of the server.
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', () => this.#gone('the script needed more than its thread may have'));
    this.#worker.on('exit', () => this.#gone('the thread of the script has ended'));
    this.#worker.unref();
  }

  get isFree(): boolean {
    return !this.#isTaken;
  }

  /** Run a script until it ends, uses more than it may, or `signal` is aborted. */
  run(code: string, host: ScriptHost, signal: AbortSignal, began: () => void): Promise<ScriptEnd> {
    const controller = new AbortController();
    const end = Promise.withResolvers<ScriptEnd>();
    const run: Run = { host, controller, end, began, calls: 0, running: 0 };
    const stop = () => {
      this.#tell({ kind: 'stop' });
      this.#wakeIn(stopMs, () => this.terminate());
      this.#settle(() => run.end.reject(signal.reason));
    };
    this.#run = run;
    this.#isTaken = true;
    clearTimeout(this.#timer);
    this.#worker.ref();
    signal.addEventListener('abort', stop, { once: true });
    this.#tell({ kind: 'run', code });
    return run.end.promise.finally(() => signal.removeEventListener('abort', stop));
  }

  /** End the thread, in the middle of whatever it does. */
  async terminate(): Promise<void> {
    this.#isTaken = true;
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (this.#isEnding) return;
    if (message.kind === 'ended') {
      clearTimeout(this.#timer);
      this.#settle((run) => run.end.resolve(message.end));
      this.#worker.unref();
      if (message.hasGrown) void this.terminate();
      else {
        this.#isTaken = false;
        this.#wakeIn(this.#idleMs, this.#on.idle);
        this.#on.free();
      }
    } else if (message.kind === 'began') {
      this.#computedBefore = message.cpuMs;
      this.#run?.began();
      this.#expectWord();
    } else if (this.#run) void this.#serve(this.#run, message);
  }

  async #serve(run: Run, { id, tool, text }: FromThread & { kind: 'call' }): Promise<void> {
    run.calls += 1;
    run.running += 1;
    // The thread counts as well; one that does not has been taken over.
    if (run.calls > this.#limits.calls || run.running > this.#limits.callsAtOnce) {
      return this.terminate();
    }
    clearTimeout(this.#timer);
    const answer = await run.host.call(tool, text, run.controller.signal);
    run.running -= 1;
    if (this.#run !== run) return;
    this.#tell({ kind: 'answer', id, ...answer });
    if (run.running === 0) this.#expectWord();
  }

  /** With no call running, a script computes or ends: what does neither hangs in the interpreter. */
  #expectWord(): void {
    const { cpuMs } = this.#limits;
    const until = performance.now() + cpuMs * patience;
    const look = async () => {
      const run = this.#run;
      // In a native loop the interpreter does not look at the time itself; the thread can still be asked.
      const { user, system } = (await this.#worker.cpuUsage?.().catch(() => none)) ?? none;
      if (run === undefined || this.#run !== run || run.running > 0) return;
      const computed = (user + system) / 1000 - this.#computedBefore;
      if (computed > cpuMs + stopMs || performance.now() > until) this.#stopComputing();
      else this.#wakeIn(Math.max(lookMs, cpuMs + stopMs - computed), look);
    };
    this.#wakeIn(cpuMs + stopMs, look);
  }

  #stopComputing(): void {
    const message = `the script computed for longer than ${this.#limits.cpuMs} ms and was stopped`;
    this.#settle((run) =>
      run.end.resolve({ kind: 'failed', failure: { reason: 'limit', message }, output: [] }),
    );
    void this.terminate();
  }

  #wakeIn(ms: number, act: () => unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void act(), ms).unref();
  }

  /** The run is over for whoever waits for it; calls that still run are stopped. */
  #settle(tell: (run: Run) => void): void {
    const run = this.#run;
    this.#run = undefined;
    if (!run) return;
    tell(run);
    run.controller.abort(new Error('the script has ended'));
  }

  #gone(message: string): void {
    clearTimeout(this.#timer);
    this.#isTaken = true;
    this.#settle((run) =>
      run.end.resolve({ kind: 'failed', failure: { reason: 'limit', message }, output: [] }),
    );
    this.#on.gone();
  }
}
