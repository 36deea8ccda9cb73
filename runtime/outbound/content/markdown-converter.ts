import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { ToolError } from '#contract/errors';
import { moduleFile } from '../../process/module-file.ts';
import type { OutboundLimits } from '../call/options.ts';
import { withoutTags } from './plain-text.ts';

interface Job {
  readonly texts: readonly string[];
  /** Nothing when the thread was lost over it. */
  readonly settle: (markdown: readonly string[] | undefined) => void;
}

/**
 * Turns HTML into Markdown in a thread of its own. Parsing HTML that third parties wrote can take
 * time in the square of its size, or more; here it costs a thread for a while, never the server.
 */
export class MarkdownConverter {
  readonly #limits: OutboundLimits;
  readonly #waiting: Job[] = [];
  /** Long texts are read in parts, and each part needs the whole. */
  readonly #converted: LRUCache<string, string>;
  #worker: Worker | undefined;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(limits: OutboundLimits) {
    this.#limits = limits;
    this.#converted = new LRUCache({
      maxSize: limits.cacheBytes,
      maxEntrySize: Math.ceil(limits.cacheBytes / 4),
      sizeCalculation: (markdown, html) => 2 * (markdown.length + html.length) + 64,
    });
  }

  /**
   * Convert texts, in their order. One that cannot be converted comes back without its tags.
   *
   * @throws ToolError `rate_limited_local` when too many others wait
   */
  async convert(texts: readonly string[]): Promise<readonly string[]> {
    const cut = texts.map((text) => text.slice(0, this.#limits.htmlCharacters));
    const unknown = [...new Set(cut)].filter((html) => !this.#converted.has(html));
    const results = unknown.length === 0 ? [] : await this.#run(unknown);
    const fresh = new Map(
      unknown.map((html, index) => [html, results?.[index] ?? withoutTags(html)]),
    );
    // What failed because the machine was busy may succeed next time.
    if (results !== undefined) for (const entry of fresh) this.#converted.set(...entry);
    return cut.map((html) => fresh.get(html) ?? this.#converted.get(html) ?? '');
  }

  /** Stop the thread; what waits, and what comes, comes back without its tags. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#drop();
    await worker?.terminate();
  }

  #run(texts: readonly string[]): Promise<readonly string[] | undefined> {
    if (this.#waiting.length >= this.#limits.queue) {
      throw new ToolError('rate_limited_local', 'too many texts wait to be converted', {
        retryable: true,
      });
    }
    return new Promise((settle) => {
      this.#waiting.push({ texts, settle });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#waiting.shift();
    if (this.#running === undefined) return;
    if (this.#closed) {
      this.#drop();
      return;
    }
    this.#timer = setTimeout(() => {
      void this.#worker?.terminate();
      this.#drop();
    }, this.#limits.markdownMs);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#running.texts);
  }

  #finish(markdown?: readonly string[]): void {
    clearTimeout(this.#timer);
    // An idle thread does not keep the process alive.
    this.#worker?.unref();
    const job = this.#running;
    this.#running = undefined;
    job?.settle(markdown);
    this.#next();
  }

  /** Go on without the thread and without what it was doing. */
  #drop(): void {
    this.#worker = undefined;
    this.#finish();
  }

  #start(): Worker {
    // The published package holds JavaScript beside this module, a clone TypeScript.
    const file = moduleFile('./markdown-worker', import.meta.url);
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
    const lost = () => {
      if (this.#worker === worker) this.#drop();
    };
    worker.on('message', (markdown: readonly string[]) => {
      if (this.#worker === worker) this.#finish(markdown);
    });
    return worker.on('error', lost).on('exit', lost);
  }
}
