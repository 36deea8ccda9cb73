import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Moment, Moments, Place } from './moments.ts';

/** A process that goes on after this long without a word hangs. */
const patienceMs = 600_000;

/** A process that tells in marks how far it is, and will be killed. */
export class Victim {
  readonly #child: ChildProcess;
  readonly #moments: Moments;
  readonly #closed: Promise<unknown>;
  readonly #marks: string[] = [];
  readonly #startedAt = performance.now();
  #rest = '';
  #errors = '';
  #begins = 0;
  #beganAt = 0;
  #place: Place = 'before';
  #told = Promise.withResolvers<void>();

  /** @param script name of a file in `processes` */
  constructor(script: string, words: readonly string[], moments: Moments) {
    this.#moments = moments;
    const file = fileURLToPath(new URL(`processes/${script}.ts`, import.meta.url));
    const cache = join(tmpdir(), 'agent-tool-server-reliability-cache');
    this.#child = spawn(process.execPath, [file, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk) => this.#hear(String(chunk)));
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
    void this.#closed.then(() => this.#told.resolve());
  }

  /** Everything that it told in whole lines. */
  get marks(): readonly (readonly string[])[] {
    return this.#marks.map((line) => line.split(' '));
  }

  get place(): Place {
    return this.#place;
  }

  /** Whether it came as far as to do its work. */
  get began(): boolean {
    return this.#begins > 0;
  }

  /** Wait for the moment; where it fell is known afterwards. */
  async reach({ section, delayMs }: Moment): Promise<void> {
    if (section > 0) {
      const wanted = this.#begins + section;
      await this.#until(() => this.#begins >= wanted);
    }
    const from = section > 0 ? this.#beganAt : this.#startedAt;
    await pause(from + delayMs - performance.now());
    this.#requireAlive();
  }

  /** Wait until it tells something of this kind that it had not told before. */
  async hearNext(kind: string): Promise<void> {
    const known = this.#marks.length;
    await this.#until(() => this.#marks.slice(known).some((line) => line.startsWith(`${kind} `)));
  }

  async kill(): Promise<void> {
    this.#requireAlive();
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  async #until(reached: () => boolean): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!reached()) {
      this.#requireAlive();
      if (performance.now() > end) throw new Error(`a process hangs:\n${this.#errors}`);
      this.#told = Promise.withResolvers();
      await Promise.race([this.#told.promise, sleep(1000)]);
    }
  }

  #requireAlive(): void {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`a process ended by itself (${exitCode ?? signalCode}):\n${this.#errors}`);
  }

  #hear(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    this.#told.resolve();
  }

  #take(line: string): void {
    const now = performance.now();
    if (line === 'begin') {
      if (this.#begins++ === 0) this.#moments.learnStart(now - this.#startedAt);
      this.#beganAt = now;
      this.#place = 'within';
    } else if (line === 'end') {
      this.#moments.learnLength(now - this.#beganAt);
      this.#place = 'after';
    } else {
      this.#marks.push(line);
    }
  }
}

/** Start a process and kill it at a random moment. */
export async function runAndKill(
  script: string,
  words: readonly string[],
  moments: Moments,
): Promise<Victim> {
  const victim = new Victim(script, words, moments);
  await victim.reach(moments.fromStart());
  await victim.kill();
  return victim;
}

/** Timers are too coarse for sections of a millisecond. */
async function pause(ms: number): Promise<void> {
  const end = performance.now() + ms;
  if (ms > 3) await sleep(ms - 3);
  while (performance.now() < end) await new Promise(setImmediate);
}
