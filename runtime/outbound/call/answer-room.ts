/** So many bytes at a time. */
class Part {
  readonly #most: number;
  #taken = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  has(bytes: number): boolean {
    return this.#taken + bytes <= this.#most;
  }

  /** Take bytes, or give them back where `bytes` is below zero. */
  take(bytes: number): void {
    this.#taken += bytes;
  }
}

/** A part for each that asks; the owners are few and known. */
class Parts {
  readonly #most: number;
  readonly #parts = new Map<string, Part>();

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  of(owner: string): Part {
    const part = this.#parts.get(owner) ?? new Part(this.#most);
    this.#parts.set(owner, part);
    return part;
  }
}

/**
 * The memory for answers that are large: all of them together hold so many bytes, those of one
 * vendor no more than half of that. Where there are several tenants, one of them has half of each.
 * Small ones are not counted.
 */
export class AnswerRoom {
  readonly #most: number;
  readonly #whole: Part;
  readonly #tenants: Parts;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
    this.#whole = new Part(mostBytes);
    this.#tenants = new Parts(mostBytes / 2);
  }

  /** The part of this room that one vendor's answers may have; several tenants may call it. */
  share(isShared = false): AnswerShare {
    const vendor = new Part(this.#most / 2);
    const tenants = new Parts(this.#most / 4);
    const all = [this.#whole, vendor];
    return {
      of: (tenant) => (isShared ? [...all, this.#tenants.of(tenant), tenants.of(tenant)] : all),
    };
  }
}

/** What the answers of one vendor may take of the room. */
export interface AnswerShare {
  /** What has to have room for an answer that a tenant has asked for. */
  of(tenant: string): readonly Part[];
}

/** What one answer has taken. */
export class Hold {
  readonly #parts: readonly Part[];
  #bytes = 0;

  constructor(share: AnswerShare, tenant: string) {
    this.#parts = share.of(tenant);
  }

  /** Take more, up to `bytes` in all. */
  growTo(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more <= 0) return true;
    if (!this.#parts.every((part) => part.has(more))) return false;
    for (const part of this.#parts) part.take(more);
    this.#bytes = bytes;
    return true;
  }

  /** Give all of it back; it may be said twice. */
  close(): void {
    for (const part of this.#parts) part.take(-this.#bytes);
    this.#bytes = 0;
  }
}
