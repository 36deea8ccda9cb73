import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { acme } from './acme.ts';
import { createWorkplace } from './workplace.ts';

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a description is fetched from its address, which UPSTREAM.json keeps', async (t) => {
  const address = await serve(t, (request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/acme.yaml' }).end();
    else response.end(acme);
  });
  const place = createWorkplace(t);
  const { code } = await place.run('add', 'acme', '--openapi', `${address}/old`);
  assert.equal(code, 0);
  const upstream = JSON.parse(place.read('specs/providers/acme/UPSTREAM.json'));
  assert.equal(upstream.url, `${address}/old`);
  assert.equal('file' in upstream, false);
});

test('a server that is relative in a fetched description is resolved against its address', async (t) => {
  const description = {
    openapi: '3.0.3',
    info: { title: 'Acme', version: '1' },
    servers: [{ url: '/v3' }],
    paths: {
      '/a': {
        get: {
          operationId: 'listThings',
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    },
  };
  const address = await serve(t, (_request, response) => response.end(JSON.stringify(description)));
  const place = createWorkplace(t);
  await place.run('add', 'acme', '--openapi', address);
  const expected = address.replaceAll('.', '\\.');
  assert.match(
    place.read('specs/providers/acme/curation.yaml'),
    new RegExp(`servers: \\[ \\{ url: "?${expected}/v3`),
  );
});

for (const [what, listener, expected] of [
  ['missing', (_, response) => response.writeHead(404).end(), /answered with status 404/],
  [
    'larger than 64 MiB',
    (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      for (let sent = 0; sent < 66; sent++) response.write(chunk);
      response.end();
    },
    /larger than 64 MiB/,
  ],
  [
    'cut off',
    (_, response) => response.writeHead(200).write('openapi:', () => response.destroy()),
    /cannot fetch/,
  ],
] satisfies [string, RequestListener, RegExp][]) {
  test(`a description that is ${what} ends in a message and writes nothing`, async (t) => {
    const address = await serve(t, listener);
    const place = createWorkplace(t);
    const { code, err } = await place.run('add', 'acme', '--openapi', address);
    assert.equal(code, 2);
    assert.match(err, expected);
    assert.equal(existsSync(join(place.base, 'specs/providers')), false);
  });
}
