import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '#contract/json';
import type { Route, RouteHandler } from '#contract/surface/route';
import type { UploadedFile } from '#contract/surface/route-file';
import { mirror, routeOf, serveRoutes } from './serve-routes.ts';

const object: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 10 },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
};

function taking(body: NonNullable<Route['body']>, schema: JsonSchema, more: Partial<Route> = {}) {
  const input = { type: 'object', properties: { body: schema }, required: ['body'] };
  return routeOf({ body, input, ...more });
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };
const form = taking({ 'application/x-www-form-urlencoded': 'form' }, object);

test('a form arrives as an object, in the types that its schema asks for', async (t) => {
  const { send } = await serveRoutes(t, [[form, mirror]]);
  const body = 'name=a+b%26c&count=7&tags=x&tags=y&other=1';
  const { status, json } = await send({ headers: formType, body });
  assert.equal(status, 200);
  const all = { name: 'a b&c', count: 7, tags: ['x', 'y'], other: '1' };
  assert.deepEqual(json.body, all);
  const one = await send({ headers: formType, body: 'name=a&tags=x' });
  assert.deepEqual(one.json.body, { name: 'a', tags: ['x'] });
});

test('a form that breaks its schema, repeats a member or has far too many is 400', async (t) => {
  const { send } = await serveRoutes(t, [[form, mirror]]);
  const many = Array.from({ length: 1001 }, (_, index) => `m${index}=1`).join('&');
  for (const [body, why] of [
    ['count=7', /body\.name.*required/],
    ['name=a&count=x', /body\.count: must be of type integer/],
    ['name=a&name=b', /"name" must come once, but it came 2 times/],
    ['name=a&other=1&other=2', /"other" must come once/],
    [`name=a&${many}`, /at most 1000 members/],
    ['', /body\.name.*required/],
  ] as const) {
    const { status, json } = await send({ headers: formType, body });
    assert.equal(status, 400, body.slice(0, 40));
    assert.equal(json.code, 'invalid_arguments');
    assert.match(json.detail, why);
  }
});

test('a body that would be millions of values is refused before any of them is made', async (t) => {
  const json = taking({ 'application/json': 'json' }, {});
  const { send } = await serveRoutes(t, [[json, mirror]]);
  const many = await send({ headers: jsonType, body: `[${'{},'.repeat(100_000)}{}]` });
  assert.equal(many.status, 413);
  assert.equal(many.json.code, 'too_many_values');
  assert.equal(many.json.detail, 'the body holds more than 50000 values');
  const deep = await send({ headers: jsonType, body: `${'['.repeat(100_000)}` });
  assert.equal(deep.status, 400);
  assert.equal(deep.json.code, 'nested_too_deeply');
});

test('members of a form cannot change the prototype of what the handler gets', async (t) => {
  const { send } = await serveRoutes(t, [[form, mirror]]);
  const { json } = await send({ headers: formType, body: 'name=a&__proto__=x&constructor=y' });
  assert.deepEqual(Object.keys(json.body).sort(), ['__proto__', 'constructor', 'name']);
});

test('a form whose schema stands elsewhere is read by it', async (t) => {
  const input: JsonSchema = {
    ...{ type: 'object', required: ['body'] },
    properties: { body: { $ref: '#/$defs/Thing' } },
    $defs: { Thing: object },
  };
  const { send } = await serveRoutes(t, [[{ ...form, input }, mirror]]);
  const { json } = await send({ headers: formType, body: 'name=a&count=7' });
  assert.deepEqual(json.body, { name: 'a', count: 7 });
});

test('one route takes several media types, and says which where another one comes', async (t) => {
  const body = { 'application/json': 'json', 'application/x-www-form-urlencoded': 'form' } as const;
  const { send } = await serveRoutes(t, [[taking(body, object), mirror]]);
  const asJson = await send({ headers: jsonType, body: '{"name":"a"}' });
  assert.deepEqual(asJson.json.body, { name: 'a' });
  const upper = { 'content-type': 'Application/JSON; charset="UTF-8"' };
  assert.equal((await send({ headers: upper, body: '{"name":"a"}' })).status, 200);
  assert.deepEqual((await send({ headers: formType, body: 'name=a' })).json.body, { name: 'a' });
  for (const type of ['text/plain', 'application/jsonx', 'multipart/form-data; boundary=x']) {
    const { status, json } = await send({ headers: { 'content-type': type }, body: 'x' });
    assert.equal(status, 415, type);
    assert.deepEqual(json.supported, Object.keys(body));
    assert.match(json.detail, /application\/json or application\/x-www-form-urlencoded/);
  }
  assert.equal((await send({ body: Buffer.from('x') })).status, 415, 'no media type at all');
  const latin = { 'content-type': 'application/json; charset=iso-8859-1' };
  assert.equal((await send({ headers: latin, body: '{}' })).status, 415);
  const packed = { ...jsonType, 'content-encoding': 'gzip' };
  assert.equal((await send({ headers: packed, body: '{}' })).status, 415);
});

test('what is a text by its schema arrives as one, whatever its media type (RFC 8935)', async (t) => {
  const event = taking({ 'application/secevent+jwt': 'text' }, { type: 'string', maxLength: 20 });
  const { send } = await serveRoutes(t, [[event, mirror]]);
  const headers = { 'content-type': 'application/secevent+jwt' };
  assert.equal((await send({ headers, body: 'a.b.c' })).json.body, 'a.b.c');
  assert.equal((await send({ headers, body: 'x'.repeat(21) })).status, 400);
  assert.equal((await send({ headers, body: 'x'.repeat(81) })).status, 413);
  assert.equal((await send({ headers, body: Buffer.from([0xff, 0xfe]) })).status, 400);
  assert.equal((await send({ headers: { 'content-type': 'text/plain' }, body: 'a' })).status, 415);
});

test('bytes arrive as they are, up to what the route takes', async (t) => {
  const body = { 'application/octet-stream': 'bytes' } as const;
  const bytes = taking(body, {}, { maxBytes: 4, responses: { 200: {} } });
  const echo: RouteHandler = async (asked) => {
    assert.ok(asked.body instanceof Uint8Array);
    return { status: 200, body: asked.body };
  };
  const { url, send } = await serveRoutes(t, [[bytes, echo]]);
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await fetch(new URL('/act', url), {
    ...{ method: 'POST', headers, body: new Uint8Array([0, 255, 1]) },
  });
  assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())], [0, 255, 1]);
  assert.equal((await send({ headers, body: Buffer.alloc(5) })).status, 413);
  assert.equal((await send()).status, 400, 'none at all');
});

test('a stream arrives part by part, and ends with an error where it is too long', async (t) => {
  const first = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const route = routeOf({ body: { '*/*': 'stream' }, maxBytes: 2000 });
  const reading: RouteHandler = async ({ body }) => {
    let length = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        length += chunk.length;
        first.resolve();
      }
    } catch (error) {
      failed.resolve(error);
      throw error;
    }
    return { status: 200, body: { length } };
  };
  const { url, send } = await serveRoutes(t, [[route, reading]], { maxBodyBytes: 100 });
  const streamed = (rest: number) =>
    fetch(new URL('/act', url), {
      method: 'POST',
      duplex: 'half',
      body: new ReadableStream({
        async start(controller) {
          controller.enqueue(new Uint8Array(500));
          // The handler has it before the body is whole.
          await first.promise;
          controller.enqueue(new Uint8Array(rest));
          controller.close();
        },
      }),
    });
  assert.deepEqual(await (await streamed(1000)).json(), { length: 1500 });
  assert.equal((await streamed(1501)).status, 413);
  assert.match(String(await failed.promise), /larger than 2000 bytes/);
  assert.equal((await send({ body: Buffer.alloc(2001) })).status, 413);
});

test('a route without a body takes none', async (t) => {
  const { send } = await serveRoutes(t, [[routeOf({}), mirror]]);
  assert.equal((await send()).status, 200);
  assert.equal((await send({ headers: jsonType, body: '' })).status, 200);
  const { status, json } = await send({ headers: jsonType, body: '{}' });
  assert.equal(status, 415);
  assert.match(json.detail, /none at all/);
});

const upload = routeOf({
  body: { 'multipart/form-data': 'multipart' },
  files: { cover: { types: ['image/png', 'image/x-*'], maxBytes: 100 }, more: { many: true } },
  input: {
    type: 'object',
    properties: {
      body: object,
      files: { type: 'object', properties: { cover: {}, more: {} }, required: ['cover'] },
    },
    required: ['body', 'files'],
  },
});

const names: RouteHandler = async ({ body, files }) => {
  const shown = Object.entries(files ?? {}).map(([key, value]) => {
    const all = [value].flat() as UploadedFile[];
    return [
      key,
      all.map(({ name, mediaType, bytes }) => [
        name,
        mediaType,
        Buffer.from(bytes).toString('latin1'),
      ]),
    ];
  });
  return { status: 200, body: { body, files: Object.fromEntries(shown) } };
};

function picture(bytes = 'png', type = 'image/png'): Blob {
  return new Blob([bytes], { type });
}

test('a multipart form arrives as fields and files (RFC 7578)', async (t) => {
  const { url } = await serveRoutes(t, [[upload, names]]);
  const body = new FormData();
  body.set('name', 'ä');
  body.set('count', '7');
  body.append('tags', 'x');
  body.append('tags', 'y');
  body.set('cover', picture(), '../../etc/cover.png');
  body.append('more', picture('1', 'text/plain'), 'one.txt');
  body.append('more', picture('2', 'text/plain'), 'two.txt');
  const answer = await fetch(new URL('/act', url), { method: 'POST', body });
  assert.deepEqual(await answer.json(), {
    body: { name: 'ä', count: 7, tags: ['x', 'y'] },
    files: {
      cover: [['cover.png', 'image/png', 'png']],
      more: [
        ['one.txt', 'text/plain', '1'],
        ['two.txt', 'text/plain', '2'],
      ],
    },
  });
});

test('a multipart form that is not what the route takes is refused', async (t) => {
  const { url } = await serveRoutes(t, [[upload, names]], { maxBodyBytes: 4000 });
  const answer = async (fill: (body: FormData) => void) => {
    const body = new FormData();
    body.set('name', 'a');
    fill(body);
    const { status, ...rest } = await fetch(new URL('/act', url), { method: 'POST', body }).then(
      async (reply) => ({ status: reply.status, json: (await reply.json()) as { detail: string } }),
    );
    return [status, rest.json.detail] as const;
  };
  const cases: readonly [(body: FormData) => void, number, RegExp][] = [
    [() => {}, 400, /files\.cover.*required/],
    [(body) => body.set('other', picture(), 'x.png'), 400, /"other" is no file/],
    [(body) => body.set('cover', picture('x', 'text/html'), 'x'), 415, /must be image\/png/],
    [(body) => body.set('cover', picture('x'.repeat(101)), 'x'), 413, /larger than 100 bytes/],
    [(body) => body.set('more', picture('x'.repeat(5000)), 'x'), 413, /larger than 4000 bytes/],
    [
      (body) => {
        body.append('cover', picture(), 'x');
        body.append('cover', picture(), 'y');
      },
      400,
      /"cover" must come once/,
    ],
  ];
  for (const [fill, status, detail] of cases) {
    const [answered, told] = await answer(fill);
    assert.match(told, detail);
    assert.equal(answered, status, told);
  }
});

test('what is no multipart form at all is 400', async (t) => {
  const { send } = await serveRoutes(t, [[upload, names]]);
  const cut = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na';
  for (const [type, body] of [
    ['multipart/form-data', cut],
    ['multipart/form-data; boundary=x', 'nonsense'],
    ['multipart/form-data; boundary=x', cut],
  ] as const) {
    const { status, json } = await send({ headers: { 'content-type': type }, body });
    assert.equal(status, 400, `${type} ${body.slice(0, 10)}`);
    assert.equal(json.code, 'invalid_arguments');
  }
});
