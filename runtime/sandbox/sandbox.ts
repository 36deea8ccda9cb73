import { readFile } from 'node:fs/promises';
import { ToolError } from '#contract/errors';
import type {
  SandboxOptions,
  ScriptEnd,
  ScriptHost,
  ScriptLimits,
  ScriptSandbox,
} from '#contract/house/sandbox';
import { defaultLimits } from './limits.ts';
import { ScriptThread } from './script-thread.ts';
import { ThreadShares } from './thread-shares.ts';

interface Waiting {
  readonly owner: string;
  readonly wake: () => void;
  /** Give up the place. */
  readonly leave: (reason: unknown) => void;
}

/** Scripts that may wait for a thread. */
const mostWaiting = 100;

/** A thread that has run no script for so long ends, but the last one; in milliseconds. */
const idleMs = 30_000;

/**
 * Runs scripts of strangers: each in an interpreter of its own, compiled to WebAssembly, in a thread
 * that can be ended. Nothing starts before the first script.
 */
export class Sandbox implements ScriptSandbox {
  readonly limits: ScriptLimits;
  readonly #most: number;
  readonly #threads = new Set<ScriptThread>();
  readonly #waiting = new Set<Waiting>();
  readonly #shares: ThreadShares;
  #wasm: Promise<WebAssembly.Module> | undefined;

  constructor({ limits, threads }: SandboxOptions, shares = new ThreadShares(threads)) {
    this.limits = { ...defaultLimits, ...limits };
    this.#most = threads;
    this.#shares = shares;
  }

  /**
   * Run a script until it ends or uses more than it may. It counts among those of `owner`, who has a
   * share of the threads.
   *
   * @throws ToolError `rate_limited_local` when too many others wait
   * @throws the reason of `signal`
   */
  async run(code: string, host: ScriptHost, signal: AbortSignal, owner = ''): Promise<ScriptEnd> {
    const wasm = await this.#compiled();
    let thread = this.#take(wasm, owner);
    if (!thread) this.#makeRoom(owner);
    while (!thread) {
      await this.#turn(signal, owner);
      thread = this.#take(wasm, owner);
    }
    signal.throwIfAborted();
    const hold = this.#shares.take(owner);
    try {
      return await thread.run(code, host, signal, hold.began);
    } finally {
      hold.giveBack();
      this.#wakeOne();
    }
  }

  /** How many threads there are now. */
  get threads(): number {
    return this.#threads.size;
  }

  /** Have a thread ready, because a script will probably come. */
  async warm(): Promise<void> {
    const wasm = await this.#compiled();
    if (this.#threads.size === 0) this.#start(wasm);
  }

  /** End every thread. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #compiled(): Promise<WebAssembly.Module> {
    this.#wasm ??= compile();
    return this.#wasm;
  }

  #take(wasm: WebAssembly.Module, owner: string): ScriptThread | undefined {
    if (!this.#shares.mayTake(owner, this.#othersWait(owner))) return undefined;
    const [free, ...others] = [...this.#threads].filter(({ isFree }) => isFree);
    const canStart = this.#threads.size < this.#most;
    // The last one that is ready is for who comes with little: to start one takes longer than such a script.
    if (canStart && others.length === 0 && !this.#shares.isLight(owner)) return this.#start(wasm);
    return free ?? (canStart ? this.#start(wasm) : undefined);
  }

  #start(wasm: WebAssembly.Module): ScriptThread {
    const thread = new ScriptThread(
      { wasm, limits: this.limits },
      {
        free: () => this.#wakeOne(),
        // Its memory goes with it; the next script that finds no thread starts one.
        idle: () => void (this.#threads.size > 1 && thread.terminate()),
        gone: () => {
          this.#threads.delete(thread);
          this.#wakeOne();
        },
      },
      idleMs,
    );
    this.#threads.add(thread);
    return thread;
  }

  /** In a full queue the newest script of whoever has the most there gives up its place to one with less. */
  #makeRoom(owner: string): void {
    if (this.#waiting.size < mostWaiting) return;
    const byOwner = Map.groupBy(this.#waiting, (waiting) => waiting.owner);
    const [most = []] = [...byOwner.values()].sort((a, b) => b.length - a.length);
    const tooMany = new ToolError('rate_limited_local', 'too many scripts wait already', {
      retryable: true,
    });
    if ((byOwner.get(owner)?.length ?? 0) + 1 >= most.length) throw tooMany;
    most.at(-1)?.leave(tooMany);
  }

  #turn(signal: AbortSignal, owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => waiting.leave(signal.reason);
      const waiting: Waiting = {
        owner,
        wake: () => {
          end();
          resolve();
        },
        leave: (reason) => {
          end();
          reject(reason);
        },
      };
      signal.throwIfAborted();
      this.#waiting.add(waiting);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #othersWait(owner: string): boolean {
    for (const waiting of this.#waiting) if (waiting.owner !== owner) return true;
    return false;
  }

  /** Whoever runs the least comes next, then whoever has held the least, then who waits the longest. */
  #wakeOne(): void {
    const shares = this.#shares;
    const able = [...this.#waiting].filter(({ owner }) =>
      shares.mayTake(owner, this.#othersWait(owner)),
    );
    // Those with the least go first, so that nobody waits for a whole queue of others.
    const [first] = able.sort(
      (a, b) =>
        shares.running(a.owner) - shares.running(b.owner) ||
        shares.heldBy(a.owner) - shares.heldBy(b.owner),
    );
    first?.wake();
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const file = new URL(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'));
  return WebAssembly.compile(await readFile(file));
}
