/**
 * The memory for answers that are large: all of them together hold so many bytes, those of one
 * vendor no more than half of that. Small ones are not counted.
 */
export class AnswerRoom {
  readonly #most: number;
  #taken = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** The part of this room that one vendor's answers may have. */
  share(): AnswerShare {
    return new AnswerShare(this, this.#most / 2);
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** What the answers of one vendor may take of the room. */
export class AnswerShare {
  readonly #room: AnswerRoom;
  readonly #most: number;
  #taken = 0;

  constructor(room: AnswerRoom, mostBytes: number) {
    this.#room = room;
    this.#most = mostBytes;
  }

  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#most || !this.#room.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
    this.#room.give(bytes);
  }
}

/** What one answer has taken. */
export class Hold {
  readonly #share: AnswerShare;
  #bytes = 0;

  constructor(share: AnswerShare) {
    this.#share = share;
  }

  /** Take more, up to `bytes` in all. */
  growTo(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more <= 0) return true;
    if (!this.#share.take(more)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Give all of it back; it may be said twice. */
  close(): void {
    this.#share.give(this.#bytes);
    this.#bytes = 0;
  }
}
