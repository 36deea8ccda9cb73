/** A place in a line, by which it is left. */
export interface Place<Value> {
  readonly value: Value;
}

interface Link<Value> extends Place<Value> {
  before: Link<Value> | undefined;
  after: Link<Value> | undefined;
  isIn: boolean;
}

/**
 * What comes and goes with each request, the oldest first. A Set would hold the same. But its table is
 * made anew every few dozen values, and a former one leads to the next and keeps what it held: once
 * one of them is old, none of them, nor what they held, is freed before V8 collects everything.
 */
export class Line<Value> {
  #first: Link<Value> | undefined;
  #last: Link<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one that has been there longest. */
  get first(): Place<Value> | undefined {
    return this.#first;
  }

  /** All values as they stand now; the line may change while they are gone through. */
  get values(): readonly Value[] {
    const values: Value[] = [];
    for (let link = this.#first; link !== undefined; link = link.after) values.push(link.value);
    return values;
  }

  add(value: Value): Place<Value> {
    const link: Link<Value> = { value, before: this.#last, after: undefined, isIn: true };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  has(place: Place<Value>): boolean {
    return (place as Link<Value>).isIn;
  }

  /** Leave the line; `false` where that was done before. */
  remove(place: Place<Value>): boolean {
    const link = place as Link<Value>;
    if (!link.isIn) return false;
    const { before, after } = link;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    // Or else an old link would keep its neighbours, and they theirs.
    link.before = undefined;
    link.after = undefined;
    link.isIn = false;
    this.#size -= 1;
    return true;
  }
}
