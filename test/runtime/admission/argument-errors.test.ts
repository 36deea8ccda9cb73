import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import { complaintOf } from './complaint.ts';

const input: JsonSchema = {
  $id: 'https://example.com/arguments',
  type: 'object',
  properties: {
    project: { type: 'string', description: 'Project key', pattern: '^[A-Z]+$' },
    state: { enum: ['open', 'closed', 7] },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    since: { type: 'string', format: 'date' },
    at: { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
    mode: { const: 'fast' },
    id: { type: ['integer', 'string'], format: 'int64', pattern: '^-?[1-9]\\d{15,18}$' },
    labels: { type: 'array', uniqueItems: true, maxItems: 3, items: { type: 'string' } },
    filter: {
      type: 'object',
      properties: { owner: { type: ['string', 'null'] } },
      required: ['owner'],
      additionalProperties: false,
    },
    more: { propertyNames: { not: { enum: ['owner'] }, maxLength: 5 } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['project'],
  additionalProperties: false,
};

/** What a model reads when it calls the tool with these arguments. */
const complaint = (args: Record<string, unknown>, schema = input) => complaintOf(args, schema);

const cases: readonly [args: Record<string, unknown>, line: string][] = [
  [{}, '- project (string) is required but missing: Project key'],
  [{ project: 7 }, '- project: must be of type string, but 7 was given'],
  [{ project: 'a' }, '- project: must match the regular expression ^[A-Z]+$, but "a" was given'],
  [
    { project: 'A', state: 'opne' },
    '- state: must be one of "open", "closed", 7, but "opne" was given; did you mean "open"?',
  ],
  [{ project: 'A', limit: 500 }, '- limit: must be <= 100, but 500 was given'],
  [
    { project: 'A', since: 'today' },
    '- since: must be a valid date such as 2026-01-31, but "today" was given',
  ],
  [
    { project: 'A', at: 'now' },
    '- at: must be a valid date-time or date such as 2026-01-31T09:30:00Z, but "now" was given',
  ],
  [
    { project: 'A', id: '12' },
    '- id: must be a whole number; one of 16 digits or more may also come as text, but "12" was given',
  ],
  [
    { project: 'A', id: JSON.parse('9223372036854775807') },
    '- id: must be a valid int64; one of 16 digits or more may also come as text, but 9223372036854776000 was given',
  ],
  [{ project: 'A', more: { owner: 1 } }, '- more.owner must not be given here'],
  [
    { project: 'A', more: { longer: 1 } },
    '- more.longer: its name must NOT have more than 5 characters',
  ],
  [{ project: 'A', mode: 'slow' }, '- mode: must be "fast", but "slow" was given'],
  [{ project: 'A', labels: ['a', 7] }, '- labels[1]: must be of type string, but 7 was given'],
  [
    { project: 'A', labels: ['a', 'a'] },
    '- labels: must not hold the same item twice, but ["a","a"] was given',
  ],
  [{ project: 'A', filter: {} }, '- filter.owner is required but missing'],
  [
    { project: 'A', filter: { owner: 7 } },
    '- filter.owner: must be of type string or null, but 7 was given',
  ],
  [
    { project: 'A', filter: { owner: null, ownr: 1 } },
    '- filter.ownr is not a known argument; did you mean "owner"?',
  ],
  [{ project: 'A', proejct: 'B' }, '- proejct is not a known argument; did you mean "project"?'],
  [
    { project: 'A', either: true },
    '- either: must match exactly one schema in oneOf, but true was given',
  ],
];
for (const [args, line] of cases) {
  test(`${JSON.stringify(args)}: ${line}`, async () => {
    const lines = (await complaint(args)).split('\n');
    assert.equal(lines[0], 'Invalid arguments for acme_list:');
    assert.ok(lines.includes(line), lines.join('\n'));
    assert.match(lines.at(-1) ?? '', /^Its arguments: project \(required\), state, limit/);
  });
}

test('everything that is wrong is said at once', async () => {
  const lines = (await complaint({ limit: 0, state: 'x', proejct: 'B' })).split('\n');
  assert.equal(lines.length, 6);
});

test('a long value is cut, and so is a long list of problems', async () => {
  const text = await complaint({ project: 'x'.repeat(100_000) });
  assert.ok(text.length < 500);
  const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`u${index}`, 1]));
  assert.match(await complaint({ project: 'A', ...unknown }), /\n- and 40 more\n/);
});

test('of a value no more is written than is shown', async () => {
  const mode = { '"a': [null, 1.5, {}] };
  assert.match(
    await complaint({ project: 'A', mode }),
    /but \{"\\"a":\[null,1\.5,\{\}\]\} was given/,
  );
  // Written out it has more characters than any string can hold.
  let project: unknown[] = [];
  for (let level = 0; level < 30; level += 1) project = [project, project];
  const text = await complaint({ project });
  assert.match(text, /- project: must be of type string, but \[{31}\],[[\],]{47}\.\.\. was given/);
});

test('arguments that exclude each other are named', async () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } };
  const said = async (not: JsonSchema) =>
    (await complaint({ a: 'x', b: 'y' }, { type: 'object', properties, not })).split('\n')[1] ?? '';
  assert.match(await said({ required: ['a', 'b'] }), /^- .*must not have a and b together, but/);
  const several = { anyOf: [{ required: ['c'] }, { required: ['a', 'b'] }] };
  assert.match(await said(several), /must not have c, or a and b together, but/);
  assert.match(await said({ properties: { a: { const: 'x' } } }), /must NOT be valid, but/);
});

test('a place with a long name is cut', async () => {
  const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
  assert.ok((await complaint({ ['n'.repeat(100_000)]: 7 }, schema)).length < 500);
});

test('of a large input one problem is reported', async () => {
  const items: JsonSchema = { type: 'array', items: { type: 'string' } };
  const schema: JsonSchema = { type: 'object', properties: { items } };
  const text = await complaint({ items: Array.from({ length: 100_000 }, () => 7) }, schema);
  assert.equal(text.split('\n').length, 3);
});

test('a tool without arguments says so', async () => {
  const schema: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
  assert.match(await complaint({ a: 1 }, schema), /- a is not a known argument\nIt takes no/);
});

test('arguments are never changed, not even by defaults', async () => {
  const args = Object.freeze({ project: 'A' });
  assert.equal(await complaint(args), 'nothing');
  assert.deepEqual(args, { project: 'A' });
});

test('two tools may carry the same $id', async () => {
  assert.equal(await complaint({ project: 'A' }), 'nothing');
  assert.equal(await complaint({ project: 'B' }, { ...input }), 'nothing');
});

test('items are compared by value, in linear time', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { items: { type: 'array', uniqueItems: true } },
  };
  const same = [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ];
  assert.match(await complaint({ items: same }, schema), /the same item twice/);
  assert.equal(await complaint({ items: [1, '1', true, null, [1], { 1: 1 }] }, schema), 'nothing');
  for (const items of [
    [{ a: 1 }, [['a', 1]]],
    [[], {}],
    [{}, JSON.parse('{"__proto__":1}')],
    [
      { 1: 1, b: 2 },
      { 1: 2, b: 1 },
    ],
  ]) {
    assert.equal(await complaint({ items }, schema), 'nothing', JSON.stringify(items));
  }
  const numbered = [
    { b: 1, 2: 2, 10: 3 },
    { 10: 3, 2: 2, b: 1 },
  ];
  assert.match(await complaint({ items: numbered }, schema), /the same item twice/);
  const many = Array.from({ length: 50_000 }, (_, index) => ({ index }));
  assert.equal(await complaint({ items: many }, schema), 'nothing');
});

test('an argument called __proto__ is an unknown argument', async () => {
  const args = JSON.parse('{"project":"A","__proto__":{"limit":500}}');
  assert.match(await complaint(args), /- __proto__ is not a known argument/);
});

test('multiples are counted in decimals, not in binary fractions (JSON Schema 2020-12, multipleOf)', async () => {
  const schema = (multipleOf: number): JsonSchema => ({
    type: 'object',
    properties: { price: { type: 'number', multipleOf } },
  });
  for (const [price, factor] of [
    [19.99, 0.01],
    [0.07, 0.01],
    [-0.29, 0.01],
    [1e300, 0.1],
    [3e-7, 1e-7],
    [0, 0.3],
    [1000000002, 2],
  ] as const) {
    assert.equal(await complaint({ price }, schema(factor)), 'nothing', `${price} of ${factor}`);
  }
  for (const [price, factor] of [
    [19.995, 0.01],
    [1000000001, 2],
    [0.30000000000000004, 0.1],
    [1e-9, 1],
  ] as const) {
    const text = await complaint({ price }, schema(factor));
    assert.ok(
      text.includes(`price: must be a multiple of ${factor}, but ${price} was given`),
      text,
    );
  }
});

test('an argument of another alternative is named as one that must not be given', async () => {
  const alternatives: JsonSchema = {
    type: 'object',
    properties: { meow: { type: 'integer' }, bark: { type: 'boolean' } },
    oneOf: [
      { required: ['meow'], properties: { bark: false } },
      { required: ['bark'], properties: { meow: { not: {} } } },
    ],
  };
  const text = await complaint({ meow: 1, bark: true }, alternatives);
  assert.match(text, /^- bark must not be given here, but true was given$/m);
  assert.match(text, /^- meow must not be given here, but 1 was given$/m);
});

const cat = {
  properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
  required: ['lives'],
};
const pets: JsonSchema = {
  type: 'object',
  properties: {
    pet: { oneOf: [{ $ref: '#/$defs/Cat' }, { allOf: [{ $ref: '#/$defs/Dog' }, marked('dog')] }] },
  },
  additionalProperties: false,
  $defs: {
    Cat: cat,
    Dog: { properties: { bark: { type: 'string' } }, required: ['bark', 'size'] },
  },
};

function marked(kind: string): JsonSchema {
  return { properties: { kind: { enum: [kind] } } };
}

test('of alternatives that a value tells apart, only the chosen one is spoken of', async () => {
  const text = await complaint({ pet: { kind: 'dog', bark: 3, lives: 'x' } }, pets);
  assert.deepEqual(text.split('\n').slice(1, -1), [
    '- pet.size is required but missing',
    '- pet.bark: must be of type string, but 3 was given',
  ]);
});

test('a value that chooses none of the alternatives is told what they are', async () => {
  const text = await complaint({ pet: { kind: 'dgo', bark: 'x' }, toy: 1 }, pets);
  assert.deepEqual(text.split('\n').slice(1, -1), [
    '- toy is not a known argument',
    '- pet.kind: must be one of "cat", "dog", but "dgo" was given; did you mean "dog"?',
  ]);
});

test('alternatives that take values of another kind are not spoken of', async () => {
  const state = { properties: { type: { enum: ['DONE', 'FAILED'] } }, type: 'object' };
  const properties = { state: { anyOf: [{ $ref: '#/$defs/State' }, { type: 'null' }] } };
  const schema: JsonSchema = { type: 'object', properties, $defs: { State: state } };
  const text = await complaint({ state: { type: 'NOPE' } }, schema);
  assert.deepEqual(text.split('\n').slice(1, -1), [
    '- state.type: must be one of "DONE", "FAILED", but "NOPE" was given; did you mean "DONE"?',
  ]);
  const wrong = await complaint({ state: 7 }, schema);
  assert.match(wrong, /^- state: must be of type object, but 7 was given$/m);
  assert.match(wrong, /^- state: must be of type null, but 7 was given$/m);
});

const delays = (...sets: string[][]): JsonSchema => {
  const names = sets.flat();
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
    oneOf: sets.map((required) => ({ required })),
  };
};

test('what alternatives demand is told in one line where none of them has it', async () => {
  const schema = delays(['lower', 'upper'], ['fixed']);
  const text = await complaint({ lower: 1 }, schema);
  assert.deepEqual(text.split('\n').slice(1, -1), [
    '- the arguments: must have lower and upper, or fixed, but {"lower":1} was given',
  ]);
});

test('of alternatives that fit both though one should, it is said which and what to leave out', async () => {
  const $defs = {
    After: { type: 'object', required: ['after'] },
    Any: { type: 'object', properties: { limit: { type: 'integer' } } },
  };
  const named = [{ required: ['none'] }, { $ref: '#/$defs/After' }, { $ref: '#/$defs/Any' }];
  const said = async (oneOf: JsonSchema[], given: object) => {
    const schema = { type: 'object', properties: { match: { oneOf } }, $defs };
    return (await complaint({ match: given }, schema)).split('\n').slice(1, -1);
  };
  assert.deepEqual(await said(named, { after: '1' }), [
    '- match: fits the alternatives "After" and "Any" of 3, and must fit one alone: leave out after to mean "Any", but {"after":"1"} was given',
  ]);
  const open = [{ type: 'object' }, { title: 'Open', minProperties: 0 }];
  assert.deepEqual(await said(open, {}), [
    '- match: fits the alternatives number 1 and "Open" of 2, and must fit one alone, but {} was given',
  ]);
});

test('of alternatives that exclude each other, those that fit are told and no others', async () => {
  const text = await complaint({ a: 1, c: 1 }, delays(['a'], ['b'], ['c']));
  assert.deepEqual(text.split('\n').slice(1, -1), [
    '- the arguments: must have a, or c, and not both, but {"a":1,"c":1} was given',
  ]);
});

test('a member that every object inherits is missing until it is given', async () => {
  const properties = { toString: { type: 'integer' }, constructor: { type: 'string' } };
  const named = (required: string[]) => ({
    type: 'object',
    properties: { race: { type: 'object', properties, required } },
  });
  const text = await complaint({ race: {} }, named(['constructor']));
  assert.match(text, /^- race\.constructor \(string\) is required but missing$/m);
  const kept = await complaint({ race: { constructor: 1 } }, named([]));
  assert.match(kept, /^- race\.constructor: must be of type string, but 1 was given$/m);
  assert.doesNotMatch(kept, /toString/);
});

test('of very many allowed values those nearest to what was given are told', async () => {
  const codes = Array.from({ length: 900 }, (_, index) => `area-${100 + index}`);
  const schema = {
    type: 'object',
    properties: { code: { enum: codes }, area: { type: 'object', propertyNames: { enum: codes } } },
  };
  const text = await complaint({ code: 'aera-777' }, schema);
  assert.match(text, /- code: must be one of 900 values, such as "area-777", "area-\d77"/);
  assert.match(text, /but "aera-777" was given; did you mean "area-777"\?/);
  assert.equal(text.match(/"area-\d+"/g)?.length, 11);
  assert.match(await complaint({ code: 7 }, schema), /900 values, such as "area-100", "area-101"/);
  assert.match(await complaint({ area: { x: 1 } }, schema), /area.x: its name must be one of 900/);
});

test('a number beyond all numbers is called so, not null (RFC 8259, section 6)', async () => {
  const said = await complaint({ project: 'A', limit: JSON.parse('1e400') });
  assert.match(said, /limit: must be of type integer, but a number beyond 1\.8e308 was given/);
});
