import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

/** What descriptions go through in the course of years, each with what has and has not changed. */
const histories: readonly [
  what: string,
  kept: string,
  later: Readonly<Record<string, string>>,
  exit: number,
  expected: RegExp,
  lines: number,
][] = [
  [
    'ids that a framework counts move on, and the operations stay where they are',
    api(get('/boats', 'list_1', '{ type: string }'), get('/cars', 'list_2', '{ type: integer }')),
    { list_2: 'list_1', list_1: 'list_0' },
    1,
    /renamed acme_list_boats: operationId list_1 is list_0 now; list_1 is GET \/cars\n/,
    5,
  ],
  [
    'a form is new beside forms that have changed too',
    api(
      get(
        '/boats',
        'boats',
        "{ oneOf: [{ $ref: '#/components/schemas/Sail' }, { $ref: '#/components/schemas/Oar' }] }",
      ),
      {
        Sail: 'kind: { type: string, enum: [sail] }, cloth: { type: string }',
        Oar: 'kind: { type: string, enum: [oar] }, wood: { type: string }',
      },
    ),
    {
      "{ $ref: '#/components/schemas/Oar' }":
        "{ $ref: '#/components/schemas/Oar' }, { $ref: '#/components/schemas/Motor' }",
      'wood: { type: string }': 'wood: { type: integer }',
      'cloth: { type: string }': 'cloth: { type: integer }',
      'components:\n  schemas:\n':
        'components:\n  schemas:\n    Motor: { type: object, properties: { kind: { type: string, enum: [motor] }, fuel: { type: string } } }\n',
    },
    1,
    /cloth of the answer is integer, not string\n.*wood of the answer is integer, not string\n.*the answer may have another form now\n/,
    5,
  ],
  [
    'a form that is not among the listed values is gone',
    api(
      get(
        '/boats',
        'boats',
        '{ type: object, properties: { kind: { type: integer, enum: [1, 2], allOf: [{ oneOf: [{ type: integer, enum: [1] }, { type: integer, enum: [2] }, { type: integer, enum: [3] }] }] } } }',
      ),
    ),
    { ', { type: integer, enum: [3] }': '' },
    0,
    /: 0 changes, /,
    1,
  ],
  [
    'several forms are new where one is gone',
    api(
      get(
        '/boats',
        'boats',
        "{ oneOf: [{ $ref: '#/components/schemas/Sail' }, { $ref: '#/components/schemas/Oar' }] }",
      ),
      {
        Sail: 'kind: { type: string, enum: [sail] }, cloth: { type: string }',
        Oar: 'kind: { type: string, enum: [oar] }, wood: { type: string }',
      },
    ),
    {
      "{ $ref: '#/components/schemas/Oar' }":
        '{ type: object, properties: { kind: { type: string, enum: [motor] } } }, { type: object, properties: { kind: { type: string, enum: [kite] }, string: { type: string } } }',
    },
    1,
    /kind of the answer may be "motor" too\n.*wood is gone from the answer\n.*the answer may have another form now\n/,
    7,
  ],
  [
    'a form is said twice, and a text is another',
    api(
      get(
        '/boats',
        'boats',
        '{ oneOf: [{ type: string }, { type: string }, { type: boolean }], description: Old }',
      ),
    ),
    { 'description: Old': 'description: New' },
    0,
    /: 0 changes, /,
    1,
  ],
  [
    'several members of one object are gone',
    api(get('/boats', 'boats', "{ $ref: '#/components/schemas/Boat' }"), {
      Boat: 'sails: { type: integer }, keel: { type: string }, oars: { type: integer }, name: { type: string }',
    }),
    { 'sails: { type: integer }, keel: { type: string }, oars: { type: integer }, ': '' },
    1,
    /sails is gone from the answer\n.*keel is gone from the answer\n.*oars is gone from the answer\n/,
    5,
  ],
  [
    'one form becomes one of three, of which it is the nearest',
    api(
      get(
        '/boats',
        'boats',
        '{ type: object, properties: { name: { type: string }, cloth: { type: string } } }',
      ),
    ),
    {
      '{ type: object, properties: { name: { type: string }, cloth: { type: string } } }':
        '{ oneOf: [{ type: object, properties: { name: { type: string }, cloth: { type: string }, kind: { type: string } } }, { type: object, properties: { name: { type: string }, fuel: { type: string } } }, { type: object, properties: { oars: { type: integer } } }] }',
    },
    1,
    /kind is new in the answer\n.*\n.*the answer may have another form now\n.*the answer may have another form now\n/,
    6,
  ],
  [
    'a whole number of an answer has other bits',
    api(
      get(
        '/boats',
        'boats',
        '{ type: object, properties: { flags: { type: integer, format: int32 } } }',
      ),
    ),
    { 'format: int32': 'format: uint32' },
    0,
    /: 0 changes, /,
    1,
  ],
  [
    'an answer that was empty is so no longer',
    api(get('/boats', 'boats', '{ type: string }')).replace(
      /'200'.*/,
      "'204': { description: OK } }",
    ),
    {
      "'204': { description: OK }":
        "'200': { description: OK, content: { application/json: { schema: { type: string } } } }",
    },
    0,
    /widened acme_boats_list: the answer has content now, of application\/json\n/,
    3,
  ],
  [
    'a body needs one of several members',
    post('{ type: object, properties: { a: { type: string }, b: { type: string } } }'),
    {
      '{ type: object, properties':
        '{ anyOf: [{ required: [a] }, { required: [b] }], type: object, properties',
    },
    1,
    /: a is required now, or what another form needs\n/,
    3,
  ],
  [
    'a body needs a member in each of its forms',
    post('{ type: object, properties: { a: { type: string }, b: { type: string } } }'),
    {
      '{ type: object, properties':
        '{ anyOf: [{ required: [a] }, { required: [a, b] }], type: object, properties',
    },
    1,
    /: a is required now\n/,
    3,
  ],
  [
    'a list becomes one value',
    api(
      get(
        '/boats',
        'boats',
        '{ type: string }',
        '{ name: kind, in: query, schema: { type: array, items: { type: string } } }',
      ),
    ),
    { '{ type: array, items: { type: string } }': '{ type: string }' },
    1,
    /narrowed acme_boats_get: kind is string, not array\n/,
    3,
  ],
  [
    'a key becomes a token in the same header',
    `${api(get('/boats', 'boats', '{ type: string }'))}components:\n  securitySchemes:\n    key: { type: apiKey, in: header, name: Authorization }\nsecurity: [{ key: [] }]\n`,
    { 'type: apiKey, in: header, name: Authorization': 'type: http, scheme: bearer' },
    1,
    /altered acme_boats_get: credential is expected as a token behind Bearer, not as a key as it is \(auth in/,
    3,
  ],
];

function get(path: string, id: string, schema: string, parameter = ''): string {
  return `  ${path}:\n    get:\n      operationId: ${id}\n      parameters: [${parameter}]\n      responses: { '200': { description: OK, content: { application/json: { schema: ${schema} } } } }\n`;
}

function post(schema: string): string {
  return api(
    `  /boats:\n    post:\n      operationId: addBoat\n      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }\n      responses: { '204': { description: OK } }\n`,
  );
}

function api(...parts: readonly (string | Readonly<Record<string, string>>)[]): string {
  const paths = parts.filter((part) => typeof part === 'string').join('');
  const schemas = parts.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part)));
  const components = schemas.map(
    ([name, properties]) => `    ${name}: { type: object, properties: { ${properties} } }\n`,
  );
  const more = components.length === 0 ? '' : `components:\n  schemas:\n${components.join('')}`;
  return `openapi: 3.1.0\ninfo: { title: Acme, version: '1' }\nservers: [{ url: https://acme.com }]\npaths:\n${paths}${more}`;
}

for (const [what, kept, changes, exit, expected, lines] of histories) {
  test(`${what}`, async (t) => {
    const { run, write } = createWorkplace(t);
    let later = kept;
    for (const [text, other] of Object.entries(changes)) later = later.replace(text, () => other);
    assert.notEqual(later, kept);
    write('kept.yaml', kept);
    write('later.yaml', later);
    await run('add', 'acme', '--openapi', 'kept.yaml');
    const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, expected);
    assert.equal(code, exit, out);
    assert.equal(out.trimEnd().split('\n').length, lines, out);
  });
}

test('Swagger 2.0, which has no word for null, takes none away', async (t) => {
  const { run, write } = createWorkplace(t);
  const head = "info: { title: Acme, version: '1' }\n";
  const schema = (type: string) => `{ type: object, properties: { name: { type: ${type} } } }`;
  write(
    'kept.yaml',
    `openapi: 3.1.0\n${head}servers: [{ url: https://acme.com/v1 }]\npaths:\n  /boats:\n    post:\n      operationId: addBoat\n      requestBody: { content: { application/json: { schema: ${schema("[string, 'null']")} } } }\n      responses: { '204': { description: OK } }\n`,
  );
  write(
    'later.yaml',
    `swagger: '2.0'\n${head}host: acme.com\nbasePath: /v1\nschemes: [https]\npaths:\n  /boats:\n    post:\n      operationId: addBoat\n      parameters: [{ name: body, in: body, schema: ${schema('string')} }]\n      responses: { '204': { description: OK } }\n`,
  );
  await run('add', 'acme', '--openapi', 'kept.yaml');
  const { code, out } = await run('drift', 'acme', '--openapi', 'later.yaml');
  assert.match(out, /^acme: 1 tools .*: 0 changes/);
  assert.equal(code, 0);
});
