import type { Collected, ItemKind } from '#contract/telemetry/browser-gate';
import { isMembers } from './faro.ts';

const kinds: Readonly<Record<string, ItemKind>> = {
  exceptions: 'exception',
  logs: 'log',
  events: 'event',
  measurements: 'measurement',
};

/** Fingerprints of errors that are remembered; of more, the oldest count as new when they come again. */
const mostRemembered = 2000;

/** Counts what pages have sent, and errors that were not seen before. */
export class Tally {
  readonly #count: (kind: ItemKind, by: number) => void;
  readonly #seen = new Set<string>();

  constructor(count: (kind: ItemKind, by: number) => void) {
    this.#count = count;
  }

  add({ kind, payload }: Collected): void {
    if (kind !== 'faro') return;
    for (const [name, item] of Object.entries(kinds)) {
      const list = payload[name];
      if (Array.isArray(list) && list.length > 0) this.#count(item, list.length);
    }
    const exceptions = payload['exceptions'];
    if (!Array.isArray(exceptions)) return;
    let fresh = 0;
    for (const exception of exceptions) {
      const mark = isMembers(exception) ? exception['error_fingerprint'] : undefined;
      if (typeof mark !== 'string' || this.#seen.has(mark)) continue;
      fresh += 1;
      if (this.#seen.size >= mostRemembered) {
        const [oldest] = this.#seen;
        if (oldest !== undefined) this.#seen.delete(oldest);
      }
      this.#seen.add(mark);
    }
    if (fresh > 0) this.#count('new_error', fresh);
  }
}
