/** Bytes of all bodies that are not complete. */
const mostBytes = 64 * 1024 * 1024;

/** One body that is being received. */
export interface HeldBody {
  /** So many more bytes have come. */
  add(bytes: number): void;
  /** It is complete, or given up. */
  close(): void;
}

interface Entry {
  bytes: number;
  readonly giveUp: () => void;
}

/**
 * What the bodies of all requests hold that are not complete. Each could be as large as a body may be,
 * and its client may take its time: where they are too much together, the one that has waited longest
 * is given up. Who sends a whole body at once is never that one.
 */
export class HeldBodies {
  readonly #most: number;
  /** The oldest first. */
  readonly #entries = new Set<Entry>();
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#most = most;
  }

  /** A body begins; `giveUp` is called at most once, when it has to make room. */
  open(giveUp: () => void): HeldBody {
    const entry: Entry = { bytes: 0, giveUp };
    this.#entries.add(entry);
    return {
      add: (bytes) => {
        if (!this.#entries.has(entry)) return;
        entry.bytes += bytes;
        this.#bytes += bytes;
        this.#makeRoom();
      },
      close: () => this.#remove(entry),
    };
  }

  #makeRoom(): void {
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#most) return;
      this.#remove(oldest);
      oldest.giveUp();
    }
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes;
  }
}

/** Those of this process. */
export const heldBodies = new HeldBodies();
