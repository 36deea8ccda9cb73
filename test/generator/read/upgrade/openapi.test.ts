import assert from 'node:assert/strict';
import test from 'node:test';
import { place, plain, readFiles, readGood } from '../read-files.ts';

function openapi30(schemas: string): Record<string, string> {
  const head =
    'openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths: {}\ncomponents:\n  schemas:\n';
  return { 'api.yaml': head + schemas.replaceAll(/^/gm, '    ') };
}

test('a discriminator that is no property of any alternative tells nothing apart', async (t) => {
  const choice = 'oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}]';
  const { root } = await readGood(
    t,
    openapi30(`A: {type: object, required: [src], properties: {src: {type: string}}}
B: {type: object, required: [text], properties: {text: {type: string}}}
Stray: {${choice}, discriminator: {propertyName: asset}}
Beside: {${choice}, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}
Mapped: {${choice}, discriminator: {propertyName: kind, mapping: {a: A}}}
`),
  );
  const { Stray, Beside, Mapped } = root.components.schemas;
  const references = [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }];
  assert.deepEqual(Stray.oneOf, references);
  const narrowed = (value: string) => ({ properties: { kind: { const: value } } });
  assert.deepEqual(Beside.oneOf, [
    { allOf: [references[0], narrowed('A')] },
    { allOf: [references[1], narrowed('B')] },
  ]);
  assert.deepEqual(Mapped.oneOf[0], { allOf: [references[0], narrowed('a')] });
});

test('required beside a reference names members of what it leads to, or is ignored', async (t) => {
  const { document, diagnostics } = await readFiles(
    t,
    openapi30(`Base: {type: object, properties: {id: {type: string, readOnly: true}, size: {type: integer}}}
Thing: {type: object, properties: {name: {type: string}}, allOf: [{$ref: "#/components/schemas/Base"}]}
Text: {type: string}
New: {required: [name, size], $ref: "#/components/schemas/Thing"}
ReadOnly: {required: [name, id], $ref: "#/components/schemas/Thing"}
Unknown: {required: [other], $ref: "#/components/schemas/Thing"}
NoObject: {required: [length], $ref: "#/components/schemas/Text"}
Member: {type: object, properties: {thing: {required: true, $ref: "#/components/schemas/Thing"}}}
`),
  );
  assert.ok(document);
  const { New, ReadOnly, Unknown, NoObject } = plain(document).components.schemas;
  const thing = { $ref: '#/components/schemas/Thing' };
  assert.deepEqual(New, { required: ['name', 'size'], allOf: [thing] });
  assert.deepEqual([ReadOnly, Unknown], [thing, thing]);
  assert.deepEqual(NoObject, { $ref: '#/components/schemas/Text' });
  const told = diagnostics.filter(({ message }) => message.startsWith('"required" beside $ref'));
  assert.deepEqual(
    told.map(({ severity, line }) => [severity, line]),
    [['warning', 9]],
  );
});

const rows: readonly (readonly [string, string, unknown])[] = [
  ['nullable with type', '{type: string, nullable: true}', { type: ['string', 'null'] }],
  ['nullable: false', '{type: string, nullable: false}', { type: 'string' }],
  ['x-nullable', '{type: string, x-nullable: true}', { type: ['string', 'null'] }],
  ['x-isnullable: false', '{type: string, x-isnullable: false}', { type: 'string' }],
  [
    'nullable before x-nullable',
    '{type: string, nullable: false, x-nullable: true}',
    { type: 'string' },
  ],
  [
    'x-one-of beside allOf',
    '{x-one-of: true, allOf: [{type: string}, {type: integer}]}',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  [
    'x-one-of: false',
    '{x-one-of: false, allOf: [{type: string}]}',
    { allOf: [{ type: 'string' }] },
  ],
  [
    'nullable with enum',
    '{type: string, nullable: true, enum: [a]}',
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable with oneOf',
    '{nullable: true, oneOf: [{type: string}]}',
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'nullable with allOf',
    '{nullable: true, description: d, allOf: [{$ref: "#/components/schemas/Z"}]}',
    {
      description: 'd',
      anyOf: [{ allOf: [{ $ref: '#/components/schemas/Z' }] }, { type: 'null' }],
    },
  ],
  [
    'exclusive bounds',
    '{type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}',
    { type: 'number', exclusiveMinimum: 1, maximum: 9 },
  ],
  ['example', '{type: string, example: x}', { type: 'string', examples: ['x'] }],
  [
    'format binary',
    '{type: string, format: binary}',
    { type: 'string', contentMediaType: 'application/octet-stream' },
  ],
  ['format byte', '{type: string, format: byte}', { type: 'string', contentEncoding: 'base64' }],
  [
    'keywords as names of properties',
    '{type: object, properties: {nullable: {type: boolean}, example: {type: string}}}',
    { type: 'object', properties: { nullable: { type: 'boolean' }, example: { type: 'string' } } },
  ],
  [
    'keywords inside a default',
    '{type: object, default: {nullable: true, example: 1}}',
    { type: 'object', default: { nullable: true, example: 1 } },
  ],
];

for (const [name, before, after] of rows) {
  test(`OpenAPI 3.0: ${name}`, async (t) => {
    const { root } = await readGood(t, openapi30(`A: ${before}\nZ: {type: string}\n`));
    assert.deepEqual(root.components.schemas.A, after);
  });
}

test('OpenAPI 3.0: what stands beside a reference is dropped, but for the description', async (t) => {
  const schemas =
    'A: {type: object, properties: {z: {$ref: "#/components/schemas/Z", minLength: 1, description: d}}}\nZ: {type: string}\n';
  const { document } = await readFiles(t, openapi30(schemas));
  assert.deepEqual(JSON.parse(JSON.stringify(document?.root.components?.['schemas']?.['A'])), {
    type: 'object',
    properties: { z: { $ref: '#/components/schemas/Z', description: 'd' } },
  });
});

test('OpenAPI 3.0: a reference into a schema that was wrapped follows it', async (t) => {
  const schemas = `A: {nullable: true, allOf: [{type: object, properties: {x: {type: string}}}]}
B: {$ref: "#/components/schemas/A/allOf/0/properties/x"}
`;
  const { root, document } = await readGood(t, openapi30(schemas));
  const inner = '/components/schemas/A/anyOf/0/allOf/0/properties/x';
  assert.deepEqual(root.components.schemas.B, { $ref: `#${inner}` });
  assert.equal(place(document, inner), 'api.yaml:6:61');
});

test('OpenAPI 3.2 keeps what 3.1 does not know', async (t) => {
  const text = `openapi: 3.2.0
info: {title: a, version: "1"}
paths:
  /a:
    query: {operationId: q, responses: {"200": {content: {text/event-stream: {itemSchema: {type: object}}}}}}
    additionalOperations: {COPY: {operationId: c}}
`;
  const { root } = await readGood(t, { 'api.yaml': text });
  assert.deepEqual(Object.keys(root.paths['/a']), ['query', 'additionalOperations']);
});

test('OpenAPI 3.2: media types and schemes that are referred to stand where they are named', async (t) => {
  const text = `openapi: 3.2.0
info: {title: a, version: "1"}
security: [{"#/components/securitySchemes/key": []}]
paths:
  /a:
    get:
      operationId: a
      security: [{"#/components/securitySchemes/other": [read], key: []}]
      responses: {"200": {content: {application/json: {$ref: "#/components/mediaTypes/Same"}}}}
components:
  mediaTypes:
    Same: {$ref: "#/components/mediaTypes/List"}
    List: {schema: {type: array, items: {type: string}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    other: {type: http, scheme: bearer}
`;
  const { root, document } = await readGood(t, { 'api.yaml': text });
  const { security, responses } = root.paths['/a'].get;
  const schema = { type: 'array', items: { type: 'string' } };
  assert.deepEqual(responses['200'].content, { 'application/json': { schema } });
  const inner = '/paths/~1a/get/responses/200/content/application~1json/schema/items';
  assert.equal(place(document, inner), 'api.yaml:13:34');
  assert.deepEqual(root.security, [{ key: [] }]);
  assert.deepEqual(security, [{ other: ['read'], key: [] }]);
});

test('OpenAPI 3.2: no media type comes to stand within itself', async (t) => {
  const text = `openapi: 3.2.0
info: {title: a, version: "1"}
paths:
  /a: {post: {operationId: a, requestBody: {content: {a/b: {$ref: "#/paths"}, a/c: {$ref: "#/components/mediaTypes/A"}}}}}
components:
  mediaTypes:
    A: {encoding: {x: {headers: {H: {content: {a/b: {$ref: "#/components/mediaTypes/B"}}}}}}}
    B: {encoding: {x: {headers: {H: {content: {a/b: {$ref: "#/components/mediaTypes/A"}}}}}}}
`;
  const { root } = await readGood(t, { 'api.yaml': text });
  assert.doesNotThrow(() => JSON.stringify(root));
  assert.ok(root.paths['/a'].post.requestBody.content['a/c'].encoding);
});

test('OpenAPI 3.2: the default of a discriminator takes what the others do not', async (t) => {
  const text = `openapi: 3.2.0
info: {title: a, version: "1"}
paths: {}
components:
  schemas:
    A: {type: object, properties: {kind: {type: string}}}
    B: {type: object, properties: {kind: {type: string}}}
    Rest: {type: object, properties: {kind: {type: string}}}
    Any:
      oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}, {$ref: "#/components/schemas/Rest"}]
      discriminator: {propertyName: kind, mapping: {a: A}, defaultMapping: Rest}
`;
  const { root } = await readGood(t, { 'api.yaml': text });
  const told = root.components.schemas.Any.oneOf.map(
    ({ allOf }: { allOf: [unknown, { properties: { kind: unknown } }] }) =>
      allOf[1].properties.kind,
  );
  assert.deepEqual(told, [{ const: 'a' }, { const: 'B' }, { not: { enum: ['a', 'B'] } }]);
});

test('the ends of 64 bits are no bounds: as JSON numbers they are rounded to what lies beyond', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `openapi: 3.0.3
info: {title: a, version: "1"}
paths: {}
components:
  schemas:
    Age: {type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807}
    Size: {type: integer, format: uint64, minimum: 0, maximum: 18446744073709551615}
    Page: {type: integer, format: int64, minimum: 1, maximum: 100}
`,
  });
  assert.deepEqual(root.components.schemas, {
    Age: { type: 'integer', format: 'int64' },
    Size: { type: 'integer', format: 'uint64', minimum: 0 },
    Page: { type: 'integer', format: 'int64', minimum: 1, maximum: 100 },
  });
});

test('formats of few bits, and those without a sign, are bounds as well', async (t) => {
  const { root } = await readGood(
    t,
    openapi30(`Byte: {type: integer, format: uint8}
Port: {type: integer, format: uint16, minimum: 1}
Count: {type: integer, format: uint32, nullable: true}
Size: {type: integer, format: uint64}
Shift: {type: integer, format: int8, exclusiveMinimum: true, minimum: 0}
Share: {type: number, format: uint8}
`),
  );
  assert.deepEqual(root.components.schemas, {
    Byte: { type: 'integer', format: 'uint8', minimum: 0, maximum: 255 },
    Port: { type: 'integer', format: 'uint16', minimum: 1, maximum: 65_535 },
    Count: { type: ['integer', 'null'], format: 'uint32', minimum: 0, maximum: 4_294_967_295 },
    Size: { type: 'integer', format: 'uint64', minimum: 0 },
    Shift: { type: 'integer', format: 'int8', exclusiveMinimum: 0, maximum: 127 },
    Share: { type: 'number', format: 'uint8' },
  });
});

test('a text of the digits of a number has their pattern, unless it shows otherwise', async (t) => {
  const { root } = await readGood(
    t,
    openapi30(`Id: {type: string, format: int64}
Size: {type: string, format: uint64, nullable: true, example: "7"}
Own: {type: string, format: int64, pattern: "^[1-9]"}
Other: {type: string, format: int32, example: a-7}
`),
  );
  assert.deepEqual(root.components.schemas, {
    Id: { type: 'string', format: 'int64', pattern: '^-?\\d+$' },
    Size: { type: ['string', 'null'], format: 'uint64', pattern: '^\\d+$', examples: ['7'] },
    Own: { type: 'string', format: 'int64', pattern: '^[1-9]' },
    Other: { type: 'string', format: 'int32', examples: ['a-7'] },
  });
});

test('a whole number without format that its own schema takes beyond 2^53 is one of 64 bits', async (t) => {
  const { root } = await readGood(t, {
    'api.yaml': `openapi: 3.0.3
info: {title: a, version: "1"}
paths: {}
components:
  schemas:
    Bytes: {type: integer, minimum: 1, maximum: 9223372036854775807}
    Seed: {type: integer, minimum: 0, maximum: 18446744073709551615}
    Id: {type: integer, example: 175928847299117063}
    Least: {type: integer, nullable: true, minimum: -9223372036854775808}
    Beyond: {type: integer, maximum: 922337203685477580700000}
    Price: {type: number, maximum: 100000000000000000}
    Page: {type: integer, maximum: 9007199254740991}
`,
  });
  assert.deepEqual(root.components.schemas, {
    Bytes: { type: 'integer', format: 'int64', minimum: 1 },
    Seed: { type: 'integer', format: 'uint64', minimum: 0 },
    Id: { type: 'integer', format: 'int64', examples: [Number('175928847299117063')] },
    Least: { type: ['integer', 'null'], format: 'int64' },
    Beyond: { type: 'integer', maximum: 9.223372036854776e23 },
    Price: { type: 'number', maximum: 1e17 },
    Page: { type: 'integer', maximum: 9007199254740991 },
  });
});

test('what a schema names twice stands there once: JSON Schema drafts before 2019-09 forbid it', async (t) => {
  const schema = '{type: [string, string, object], enum: [a, {b: 1}, a, {b: 1}]}';
  const text = `openapi: 3.1.0
info: {title: Things, version: "1"}
paths: {}
components: {schemas: {Thing: ${schema}}}
`;
  const { root } = await readGood(t, { 'api.yaml': text });
  assert.deepEqual(root.components, {
    schemas: { Thing: { type: ['string', 'object'], enum: ['a', { b: 1 }] } },
  });
});

test('a nullable reference into the inside of a schema still leads there', async (t) => {
  const { document } = await readFiles(t, {
    'api.yaml': `openapi: 3.1.0
info: {title: a, version: "1"}
paths: {}
components:
  schemas:
    Price: {type: object, properties: {unit: {$ref: "#/components/schemas/Sum/properties/unit", nullable: true}}}
    Sum: {type: object, properties: {unit: {type: string}}}
`,
  });
  const { Price, Sum } = plain(document ?? assert.fail()).components.schemas;
  assert.deepEqual(Price.properties.unit, {
    anyOf: [{ $ref: '#/components/schemas/Sum/properties/unit' }, { type: 'null' }],
  });
  assert.deepEqual(Sum.properties.unit, { type: 'string' });
});
