/** The newest of what came, to a number of items and of characters. */
export class Ring<Item> {
  readonly #most: number;
  readonly #mostCharacters: number;
  readonly #sizeOf: (item: Item) => number;
  #items: Item[] = [];
  /** What lies before it was let go of. */
  #first = 0;
  #characters = 0;

  constructor(most: number, mostCharacters: number, sizeOf: (item: Item) => number) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
    this.#sizeOf = sizeOf;
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#characters += this.#sizeOf(item);
    while (this.size > this.#most || (this.#characters > this.#mostCharacters && this.size > 1)) {
      this.#drop();
    }
  }

  get size(): number {
    return this.#items.length - this.#first;
  }

  /** Let go of the oldest ones for as long as they are `old`. */
  dropWhile(old: (item: Item) => boolean): void {
    for (let item = this.#items[this.#first]; item && old(item); item = this.#items[this.#first]) {
      this.#drop();
    }
  }

  /** All of them as they are now, the oldest first. */
  all(): readonly Item[] {
    return this.#items.slice(this.#first);
  }

  #drop(): void {
    const item = this.#items[this.#first];
    if (item === undefined) return;
    this.#characters -= this.#sizeOf(item);
    this.#first += 1;
    if (this.#first < 1024 || this.#first * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}
