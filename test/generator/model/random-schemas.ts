type Schema = Record<string, unknown>;

/** Numbers that look random and are the same in each run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The names that members have; so few that alternatives often share them. */
const names = ['a', 'b', 'c', 'd', 'e'] as const;

const values: readonly unknown[] = [
  ...[0, 1, 2, 5, -3, 1.5, 3_000_000_000, true, false, null],
  ...['', 'x', 'abc', 'abcdef', 'red', 'green', 'not a mail', 'me@example.com', '2026-01-31'],
  ...['1b4e28ba-2fa1-41d2-883f-0016d3cca427', 'https://example.com/a b', 'https://example.com/'],
  ...[[], [1], [1, 1], [1, 2], ['x', 'y'], [null], {}, { a: 1 }, { a: 'x', b: [1] }, { z: true }],
];

/** Makes schemas of bodies and values for them. */
export class RandomSchemas {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  /** An object schema with rules over its members. */
  body(): Schema {
    const base = this.#some(names, 0.5);
    const isFree = base.length === 0;
    const branch = () => this.#branch(base, isFree);
    const several = () => Array.from({ length: 2 + this.#below(2) }, branch);
    const rules: Schema[] = [
      { oneOf: several() },
      { anyOf: several() },
      { allOf: [branch(), { anyOf: several() }] },
      { not: this.#object(base, false) },
      conditional(this.#object(base, false), branch(), branch()),
      { dependentRequired: Object.fromEntries(base.map((name) => [name, this.#some(base, 0.3)])) },
      { minProperties: 1 + this.#below(2) },
      { maxProperties: 1 + this.#below(3) },
      {},
    ];
    return { ...this.#object(base, false), ...this.#one(rules) };
  }

  /** A body with members of these names, whether it satisfies any schema or not. */
  value(known: readonly string[]): Schema {
    const given = this.#some(known, 0.55);
    return Object.fromEntries(given.map((name) => [name, structuredClone(this.#one(values))]));
  }

  #branch(base: readonly string[], mayClose: boolean): Schema {
    const own = this.#some(names, 0.4);
    const isClosed = mayClose && this.#random() < 0.3;
    const schema = this.#object(own, isClosed);
    const further = this.#some([...new Set([...base, ...own])], 0.3);
    return isClosed || further.length === 0 ? schema : { ...schema, required: further };
  }

  #object(own: readonly string[], isClosed: boolean): Schema {
    const required = this.#some(own, 0.3);
    return {
      type: 'object',
      properties: Object.fromEntries(own.map((name) => [name, this.#member(2)])),
      ...(required.length > 0 && { required }),
      ...(isClosed && { additionalProperties: false }),
    };
  }

  #member(depth: number): Schema {
    const inner = () => this.#member(depth - 1);
    const flat: Schema[] = [
      { type: 'string', minLength: this.#below(3), maxLength: 3 + this.#below(3) },
      { type: 'string', enum: ['red', 'green', 'x'] },
      { type: 'string', pattern: '^[a-c]+$' },
      { type: 'string', format: this.#one(['email', 'uuid', 'uri', 'date']) },
      { type: 'integer', minimum: this.#below(3), exclusiveMaximum: 5 },
      { type: 'integer', format: 'int32' },
      { type: 'number', multipleOf: this.#one([0.5, 2]) },
      { type: ['boolean', 'null'] },
      { const: this.#one([1, 'x', true]) },
      {},
    ];
    if (depth === 0 || this.#random() < 0.6) return this.#one(flat);
    return this.#one([
      { type: 'array', items: inner(), minItems: this.#below(2), maxItems: 1 + this.#below(2) },
      { type: 'array', uniqueItems: true },
      { type: 'object', properties: { a: inner() }, required: ['a'], additionalProperties: false },
      { type: 'object', additionalProperties: inner(), minProperties: 1 },
      { oneOf: [inner(), inner()] },
      { anyOf: [inner(), inner()] },
      { not: inner() },
    ]);
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #one<Item>(all: readonly Item[]): Item {
    return all[this.#below(all.length)] as Item;
  }

  #some<Item>(all: readonly Item[], share: number): Item[] {
    return all.filter(() => this.#random() < share);
  }
}

function conditional(condition: Schema, positive: Schema, negative: Schema): Schema {
  return Object.fromEntries(
    Object.entries({ if: condition, else: negative }).concat([['then', positive]]),
  );
}
