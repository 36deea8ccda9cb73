import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';

/**
 * The files whose processes run. Node's runner waits without end for a process in which something is
 * still open, as a test leaves it that has run out of time: its own limit stops nobody. Here each has
 * its time, and is killed after it: what hangs fails, and holds up none of the others.
 */
export class RunningFiles {
  readonly #folder: string;
  readonly #limitMs: number;
  readonly #begun = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();

  /** @param folder what paths are told relative to */
  constructor(folder: string, limitMs: number) {
    this.#folder = folder;
    this.#limitMs = limitMs;
  }

  begin(file: string): void {
    const timer = setTimeout(() => {
      this.#tell(file, performance.now() - this.#limitMs);
      for (const pid of processesOf(file)) kill(pid);
    }, this.#limitMs);
    this.#begun.set(file, { at: performance.now(), timer });
  }

  end(file: string): void {
    clearTimeout(this.#begun.get(file)?.timer);
    this.#begun.delete(file);
  }

  /** Whoever stops a run has lost patience, and wants to know with whom. */
  tell(): void {
    for (const [file, { at }] of this.#begun) this.#tell(file, at);
  }

  #tell(file: string, begunAt: number): void {
    const seconds = Math.round((performance.now() - begunAt) / 1000);
    console.log(`↻ not at its end after ${seconds} s: ${relative(this.#folder, file)}`);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Those that this process has started for a file; none where it has ended meanwhile. */
function processesOf(file: string): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return lines
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [])
    .filter(([, , parent, args]) => Number(parent) === process.pid && args?.includes(file))
    .map(([, pid]) => Number(pid));
}
