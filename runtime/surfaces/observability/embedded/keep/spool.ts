import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../numbers.ts';

export interface SpoolParts {
  /** It is made when there is something to write. */
  readonly folder: string;
  /** Bytes of all its files; beyond them, the oldest are removed. */
  readonly mostBytes: number;
  /** Older files are removed. */
  readonly keepMs: number;
  readonly now: () => number;
  /** Told once of a disk that takes nothing. */
  readonly onFailure: (error: unknown) => void;
  /** Told before the first line of each file: what lines refer to is written into each. */
  readonly onFile: () => void;
}

const fileForm = /^\d{13,15}-\d+\.ndjson$/;

/**
 * Files with what has to survive a restart, one record on each line. A process writes files of its
 * own, and removes the oldest of all. What was written within the last second may be lost.
 */
export class Spool {
  readonly #parts: SpoolParts;
  #waiting: string[] = [];
  #characters = 0;
  #file: string | undefined;
  #fileBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(parts: SpoolParts) {
    this.#parts = parts;
  }

  /** All records that are there, the oldest file first. A line that is not whole is passed over. */
  async read(take: (record: unknown) => void): Promise<void> {
    for (const { path } of await this.#files()) {
      const text = await readFile(path, 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        if (line === '') continue;
        try {
          take(JSON.parse(line));
        } catch {
          // The process ended while it wrote this line.
        }
      }
    }
  }

  /** Write a record soon. What comes while the disk does not follow is not written. */
  put(record: unknown): void {
    if (this.#file === undefined) this.#begin();
    if (this.#characters > limits.unwrittenCharacters) return;
    const line = JSON.stringify(record);
    this.#waiting.push(line);
    this.#characters += line.length;
    this.#timer ??= setTimeout(() => this.flush(), limits.writeMs).unref();
  }

  /** Write what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [file, lines] = [this.#file, this.#waiting];
    if (file === undefined || lines.length === 0) return this.#writing;
    this.#waiting = [];
    this.#characters = 0;
    const text = `${lines.join('\n')}\n`;
    this.#fileBytes += Buffer.byteLength(text);
    if (this.#fileBytes > limits.fileBytes) this.#file = undefined;
    this.#writing = this.#writing.then(() => this.#write(file, text));
    return this.#writing;
  }

  #begin(): void {
    const name = `${this.#parts.now()}-${process.pid}.ndjson`;
    this.#file = join(this.#parts.folder, name);
    this.#fileBytes = 0;
    this.#parts.onFile();
  }

  async #write(file: string, text: string): Promise<void> {
    try {
      await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
      await appendFile(file, text, { mode: 0o600 });
      await this.#tidy(file);
    } catch (error) {
      if (!this.#hasFailed) this.#parts.onFailure(error);
      this.#hasFailed = true;
    }
  }

  async #tidy(current: string): Promise<void> {
    const files = await this.#files();
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size, changedMs } of files) {
      const isOld = changedMs < this.#parts.now() - this.#parts.keepMs;
      if (path === current || !(isOld || bytes > this.#parts.mostBytes)) continue;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  async #files() {
    const { folder } = this.#parts;
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => fileForm.test(name))
        .sort()
        .map(async (name) => {
          const path = join(folder, name);
          const facts = await stat(path).catch(() => undefined);
          return facts && { path, size: facts.size, changedMs: facts.mtimeMs };
        }),
    );
    return found.filter((file) => file !== undefined);
  }
}
