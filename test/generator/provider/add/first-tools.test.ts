import assert from 'node:assert/strict';
import test from 'node:test';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { createWorkplace } from '../workplace.ts';

const folder = 'specs/providers/acme';

test('without a read that answers JSON the first sound operations are switched on, for review', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'convert.yaml',
    `openapi: 3.0.3
info: { title: Convert, version: '1' }
servers: [{ url: 'https://api.convert.example' }]
paths:
  /convert:
    post: { operationId: convert_file, summary: Convert a file, responses: { '200': { description: ok } } }
  /merge:
    post: { operationId: merge_files, summary: Merge some files, responses: { '200': { description: ok } } }
`,
  );
  const { code, out } = await place.run('add', 'acme', '--openapi', 'convert.yaml');
  assert.equal(code, 0);
  assert.match(out, /2 of 2 operations are switched on/);
  const text = place.read(`${folder}/curation.yaml`);
  assert.match(text, /^ {2}- name: acme_convert_file # review: no read that answers JSON/m);
  assert.match(text, /^ {2}- name: acme_merge_files # review: no read that answers JSON/m);
  assert.equal((await place.run('check', 'acme')).code, 0);
});

test('what destroys is not switched on by itself, unless there is nothing else: then it is marked', async (t) => {
  const place = createWorkplace(t);
  const post = (name: string) => ({
    post: { operationId: name, responses: { 200: { description: 'ok' } } },
  });
  const description = (paths: object) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Convert', version: '1' },
      servers: [{ url: 'https://api.convert.example' }],
      paths,
    });
  const harmful = { '/wipe': post('wipe_all'), '/orders': post('cancelOrder') };
  place.write('some.json', description({ ...harmful, '/convert': post('convert_file') }));
  assert.match(
    (await place.run('add', 'acme', '--openapi', 'some.json')).out,
    /1 of 3 operations are switched on/,
  );
  assert.match(
    place.read(`${folder}/curation.yaml`),
    /^ {2}# - name: acme_wipe_all\n(?: {2}#.*\n)*? {2}# {3}annotations: \{ readOnly: false, destructive: true/m,
  );
  place.write('all.json', description(harmful));
  assert.equal((await place.run('add', 'bad', '--openapi', 'all.json')).code, 0);
  assert.deepEqual(place.read('specs/providers/bad/curation.yaml').match(/^ {2}- name: .*/gm), [
    '  - name: bad_wipe_all # review: no read that answers JSON was found: is this the one to begin with? Its name says that it takes something away',
  ]);
});

test('an API of POST alone gets fixtures with bodies, and what only asks goes first', async (t) => {
  const place = createWorkplace(t);
  place.write(
    'post.yaml',
    `openapi: 3.1.0
info: { title: Post, version: '1', license: {} }
servers: [{ url: 'https://api.post.example' }]
components:
  schemas:
    'post:payout@1':
      type: object
      required: [amount, currency]
      properties:
        amount: { type: integer, minimum: 5 }
        currency: { enum: [EUR, USD] }
        note: { type: string }
paths:
  /payouts/create:
    post:
      operationId: payouts_create
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/post:payout@1' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /payouts/list:
    post:
      operationId: payouts_list
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [key], properties: { key: { type: string } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`,
  );
  const { code, out, err } = await place.run('add', 'acme', '--openapi', 'post.yaml');
  assert.equal(code, 0, err);
  assert.match(out, /1 of 2 operations are switched on/);
  const curation = place.read(`${folder}/curation.yaml`);
  assert.match(curation, /^ {2}- name: acme_payouts_list/m);
  place.write(`${folder}/curation.yaml`, curation.replace(/^ {2}# ((?:- | {2})\S.*)$/gm, '  $1'));
  assert.equal((await place.run('add', 'acme', '--openapi', 'post.yaml')).code, 0);
  const fixture = JSON.parse(place.read(`${folder}/fixtures/acme_payouts_create.json`));
  assert.deepEqual(fixture.arguments, { amount: 5, currency: 'EUR' });
  const checked = await place.run('check', 'acme');
  assert.equal(checked.code, 0, checked.err);
});

test('where nothing can be switched on, the reasons are counted; webhooks are no operations', async (t) => {
  const place = createWorkplace(t);
  const head = `openapi: 3.1.0\ninfo: { title: X, version: '1' }\nservers: [{ url: 'https://x.example' }]\n`;
  const answer = `responses: { '200': { description: ok } }`;
  const lost = `parameters: [{ $ref: 'lost.yaml#/id' }]`;
  place.write(
    'odd.yaml',
    `${head}paths:\n${['a', 'b']
      .map((name) => `  /${name}:\n    get: { operationId: ${name}, ${lost}, ${answer} }\n`)
      .join('')}`,
  );
  const odd = await place.run('add', 'acme', '--openapi', 'odd.yaml');
  assert.equal(odd.code, exitCodes.errors);
  assert.match(odd.err, /none of its 2 operations can be switched on:\n {2}\d x [A-Z]+\d{3} .+/);
  place.write('hooks.yaml', `${head}webhooks:\n  thing: { post: { ${answer} } }\n`);
  const hooks = await place.run('add', 'acme', '--openapi', 'hooks.yaml');
  assert.match(hooks.err, /describes webhooks, which the vendor calls, but has no operation/);
});

test('an operation that takes what a broken reference would describe stays off, and it is said why', async (t) => {
  const response = {
    200: {
      description: 'ok',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  };
  const operation = (operationId: string, ...parameters: object[]) => ({
    get: { operationId, parameters, responses: response },
  });
  const place = createWorkplace(t);
  const description = {
    openapi: '3.0.3',
    info: { title: 'Broken', version: '1' },
    servers: [{ url: 'https://api.broken.example' }],
    paths: {
      '/apples': operation('listApples', { $ref: '#/components/parameters/Missing' }),
      '/berries': operation('listBerries', { $ref: '#/components/parameters/Half' }),
      '/cherries': operation('listCherries', { name: 'q', in: 'query', schema: {} }),
    },
    components: {
      parameters: {
        Half: { name: 'h', in: 'query', schema: { $ref: '#/components/schemas/Gone' } },
      },
    },
  };
  place.write('broken.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'broken', '--openapi', 'broken.json');
  assert.equal(code, 0, out);
  assert.match(out, /1 of 3 operations are switched on/);
  assert.match(out, /_apples\w*: \$ref "#\/components\/parameters\/Missing" leads to nothing/);
  assert.match(out, /_berries\w*: \$ref "#\/components\/schemas\/Gone" leads to nothing/);
});

test('an operation whose form is gone beside its body stays off, with a field that is needed', async (t) => {
  const place = createWorkplace(t);
  const operation = (operationId: string, required: boolean) => ({
    post: {
      operationId,
      parameters: [
        {
          name: 'body',
          in: 'body',
          schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
        { name: 'file', in: 'formData', type: 'string', required },
      ],
      responses: { 200: { description: 'ok' } },
    },
  });
  const description = {
    swagger: '2.0',
    info: { title: 'Forms', version: '1' },
    host: 'api.forms.example',
    schemes: ['https'],
    paths: { '/apples': operation('addApple', true), '/berries': operation('addBerry', false) },
  };
  place.write('forms.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'forms', '--openapi', 'forms.json');
  assert.equal(code, 0, out);
  assert.match(out, /1 of 2 operations are switched on/);
  assert.match(
    out,
    /_apple\w*: formData "file" is left out: a parameter in body is all that is sent/,
  );
  assert.match(out, /SPEC005 formData "file" is left out/);
});

test('what refers to a chain of references without an end is kept off, wherever it enters the chain', async (t) => {
  const place = createWorkplace(t);
  const operation = (operationId: string, input: object) => ({
    get: { operationId, responses: { 200: { description: 'ok' } }, ...input },
  });
  const to = (pointer: string) => ({ $ref: `#/components/${pointer}` });
  const ok = { name: 'q', in: 'query', schema: { type: 'string' } };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Turning', version: '1' },
    servers: [{ url: 'https://api.turning.example' }],
    paths: {
      '/apples': operation('listApples', { parameters: [to('parameters/One'), ok] }),
      '/berries': operation('listBerries', { parameters: [to('parameters/Two'), ok] }),
      '/cherries': operation('listCherries', { parameters: [ok] }),
      '/dates': operation('listDates', { parameters: [to('parameters/Gone'), ok] }),
      '/elders': { parameters: [to('parameters/Two')], ...operation('listElders', {}) },
      '/figs': operation('listFigs', { requestBody: to('requestBodies/One') }),
      '/grapes': operation('listGrapes', { responses: { 200: to('responses/One') } }),
    },
    components: {
      parameters: {
        One: to('parameters/Two'),
        Two: to('parameters/One'),
        Gone: to('parameters/No'),
      },
      requestBodies: { One: to('requestBodies/Two'), Two: to('requestBodies/One') },
      responses: { One: to('responses/Two'), Two: to('responses/One') },
    },
  };
  place.write('turning.json', JSON.stringify(description));
  const { code, out } = await place.run('add', 'turning', '--openapi', 'turning.json');
  assert.equal(code, 0, out);
  assert.match(out, /1 of 7 operations are switched on/);
  assert.match(
    place.read('specs/providers/turning/curation.yaml'),
    /^ {2}- name: turning_list_cherries$/m,
  );
  const kept = 'only leads back to itself';
  for (const name of ['apples', 'berries', 'elders', 'figs', 'grapes']) {
    assert.match(out, new RegExp(`_${name}\\w*: \\$ref "[^"]*" ${kept}`));
  }
  assert.match(out, /_dates\w*: \$ref "#\/components\/parameters\/No" leads to nothing/);
});

test('where all operations are deprecated, what reads is switched on as elsewhere', async (t) => {
  const place = createWorkplace(t);
  const schema = { type: 'array', items: { type: 'object', properties: { id: {} } } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const old = { deprecated: true, responses };
  place.write(
    'api.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Beds', version: '1' },
      servers: [{ url: 'https://api.beds.example' }],
      paths: {
        '/beds/convert': { post: { operationId: 'convertBeds', ...old } },
        '/beds': { get: { operationId: 'listBeds', ...old } },
      },
    }),
  );
  assert.equal((await place.run('add', 'acme', '--openapi', 'api.json')).code, 0);
  assert.match(place.read(`${folder}/curation.yaml`), /^ {2}- name: acme_list_beds$/m);
});

test('where nearly all that reads is deprecated it is on as elsewhere, and not where enough is left', async (t) => {
  const place = createWorkplace(t);
  const responses = {
    200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
  };
  const describe = (old: readonly string[], left: readonly string[]) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Beds', version: '1' },
      servers: [{ url: 'https://api.beds.example' }],
      paths: Object.fromEntries(
        [...old, ...left].map((name) => [
          `/${name}`,
          { get: { operationId: `get_${name}`, deprecated: old.includes(name), responses } },
        ]),
      ),
    });
  const on = async (id: string, old: readonly string[], left: readonly string[]) => {
    place.write('api.json', describe(old, left));
    assert.equal((await place.run('add', id, '--openapi', 'api.json')).code, 0);
    const names = place
      .read(`specs/providers/${id}/curation.yaml`)
      .matchAll(/^ {2}- name: \w+?_get_(\w+)/gm);
    return [...names].map(([, name]) => name).sort();
  };
  const old = ['beds', 'camps', 'doors', 'elms'];
  assert.deepEqual(await on('acme', old, ['figs']), [...old, 'figs']);
  assert.deepEqual(await on('other', old, ['figs', 'grapes']), ['figs', 'grapes']);
});

test('of what only a person may switch on one is on where there is nothing else, and none beside others', async (t) => {
  const place = createWorkplace(t);
  const post = (summary: string) => ({
    post: { summary, responses: { 200: { description: 'ok' } } },
  });
  const describe = (paths: object) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Pay', version: '1' },
      servers: [{ url: 'https://api.pay.example' }],
      paths,
    });
  const held = { '/pay-out': post('Submit a payout'), '/pay-in': post('Submit a payment') };
  place.write('held.json', describe(held));
  assert.match(
    (await place.run('add', 'held', '--openapi', 'held.json')).out,
    /1 of 2 operations are switched on/,
  );
  const marked = place.read('specs/providers/held/curation.yaml');
  assert.match(marked, /^ {2}- name: \w+ # review: it may spend money; no read/m);
  place.write('some.json', describe({ ...held, '/fold': post('Fold a letter') }));
  assert.match(
    (await place.run('add', 'some', '--openapi', 'some.json')).out,
    /1 of 3 operations are switched on/,
  );
  assert.match(place.read('specs/providers/some/curation.yaml'), /^ {2}- name: some_fold/m);
});
