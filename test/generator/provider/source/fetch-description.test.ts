import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, truncateSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exitCodes } from '../../../../generator/commands/exit-codes.ts';
import { fetchDescription } from '../../../../generator/provider/source/fetch-description.ts';
import { redirectedTo, standsAt } from '../../../../generator/provider/source/redirect-address.ts';
import { readSourceText } from '../../../../generator/read/text/source-text.ts';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

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

test('servers are relative to the address that a description was sent on to', async (t) => {
  const relative = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Acme', version: '1' },
    servers: [{ url: './api' }],
    paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } },
  });
  const address = await serve(t, (request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/v3/acme.yaml' }).end();
    else response.end(relative);
  });
  const place = createWorkplace(t);
  await place.run('add', 'acme', '--openapi', `${address}/old`);
  const curation = place.read('specs/providers/acme/curation.yaml');
  assert.ok(curation.includes(`url: ${address}/v3/api`), curation);
});

test('a description stands where its own host has sent on to, never at another one or without TLS', () => {
  for (const [asked, found, isBase] of [
    ['https://a.example/x.json', 'https://a.example/v1/x.json', true],
    ['http://a.example/x.json', 'https://a.example/x.json', true],
    ['https://a.example/x.json', 'http://a.example/x.json', false],
    ['https://a.example/x.json', 'https://store.example/x.json', false],
    ['http://a.example:81/x.json', 'http://a.example:82/x.json', false],
  ] as const) {
    const base = standsAt(new URL(asked), new URL(found));
    assert.equal(base.href, isBase ? found : asked);
  }
});

test('an address that sends on for ever, or to what is no address, is named with the reason', async (t) => {
  let asked = 0;
  const address = await serve(t, (request, response) => {
    asked += 1;
    const location = request.url === '/file' ? 'file:///etc/passwd' : request.url;
    response.writeHead(302, { location }).end();
  });
  const place = createWorkplace(t);
  const { err } = await place.run('add', 'acme', '--openapi', `${address}/again?token=s3cret`);
  assert.equal(err, `${address}/again sends on to other addresses more than 3 times\n`);
  assert.equal(asked, 4);
  const file = await place.run('add', 'acme', '--openapi', `${address}/file`);
  assert.equal(file.err, `${address}/file sends on to what is no http address\n`);
});

test('a description that is packed by gzip is unpacked, up to its limit', async (t) => {
  const address = await serve(t, (request, response) => {
    const text = request.url === '/bomb' ? Buffer.alloc(65 * 1024 * 1024, ' ') : acme;
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
  });
  const place = createWorkplace(t);
  const good = await place.run('add', 'acme', '--openapi', `${address}/acme.yaml`);
  assert.equal(good.code, 0, good.err);
  const bomb = await place.run('add', 'bomb', '--openapi', `${address}/bomb`);
  assert.equal(bomb.err, 'the description is larger than 64 MiB\n');
});

test('a public address leads to no machine nearby', () => {
  const from = new URL('https://me:s3cret@docs.acme.com/openapi.json?token=s3cret');
  for (const location of ['http://169.254.169.254/latest', 'http://[::1]/', '//localhost:8080/x']) {
    assert.throws(
      () => redirectedTo(from, 302, location),
      (error: Error) => {
        assert.match(
          error.message,
          /^https:\/\/docs\.acme\.com\/openapi\.json sends on to ".+", a machine nearby$/,
        );
        return true;
      },
    );
  }
  const near = new URL('http://127.0.0.1:8080/a');
  assert.equal(redirectedTo(near, 302, 'http://localhost/b')?.href, 'http://localhost/b');
});

test('a user and a password stay with the origin that they were given for', () => {
  const from = new URL('https://me:s3cret@docs.acme.com/openapi.json');
  assert.equal(redirectedTo(from, 307, '/b')?.href, 'https://me:s3cret@docs.acme.com/b');
  assert.equal(redirectedTo(from, 307, 'http://docs.acme.com/b')?.href, 'http://docs.acme.com/b');
  assert.equal(
    redirectedTo(from, 307, 'https://you:x@cdn.acme.com/b')?.href,
    'https://cdn.acme.com/b',
  );
  assert.equal(redirectedTo(from, 200, '/b'), undefined);
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
  [
    'behind a login',
    (_, response) => response.writeHead(401).end(),
    /answered with status 401: write user and password into the address .* and name the file/,
  ],
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

test('user, password and query of an address are sent, and neither written down nor printed', async (t) => {
  const seen: (string | undefined)[] = [];
  const address = await serve(t, (request, response) => {
    seen.push(request.headers.authorization, request.url);
    response.end(acme);
  });
  const place = createWorkplace(t);
  const url = `${address.replace('//', '//me:hunter2@')}/acme.yaml?version=3&access_token=hunter3&key=hunter4`;
  const { code, out, err } = await place.run('add', 'acme', '--openapi', url);
  assert.equal(code, 0, err);
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
  assert.deepEqual(seen.slice(0, 2), [
    basic,
    '/acme.yaml?version=3&access_token=hunter3&key=hunter4',
  ]);
  const upstream = JSON.parse(place.read('specs/providers/acme/UPSTREAM.json'));
  assert.equal(upstream.url, `${address}/acme.yaml`);
  assert.doesNotMatch(out + err + place.read('specs/providers/acme/curation.yaml'), /hunter/);
});

test('what lies behind user and password is taken to want them, where it is its own server', async (t) => {
  const described = (server: string) =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Acme', version: '1' },
      servers: [{ url: server }],
      paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } },
    });
  const address = await serve(t, ({ url }, response) =>
    response.end(described(url === '/own' ? '/v1' : 'https://api.acme.example')),
  );
  const drafted = async (place: string, user: string) => {
    const { run, read } = createWorkplace(t);
    const { out } = await run(
      'add',
      'acme',
      '--openapi',
      `${address.replace('//', user)}/${place}`,
    );
    return `${out}${read('specs/providers/acme/curation.yaml')}`;
  };
  const behind = await drafted('own', '//me:hunter2@');
  assert.match(behind, /Set SERVICE_ACME_TOKEN to user:password\./);
  assert.match(behind, /type: basic/);
  assert.match(await drafted('own', '//'), /No credential is needed\./);
  assert.match(await drafted('other', '//me:hunter2@'), /No credential is needed\./);
});

test('an address that fails is named without its credential', async (t) => {
  const address = await serve(t, (_request, response) => response.writeHead(403).end());
  const place = createWorkplace(t);
  const url = `${address.replace('//', '//me:hunter2@')}/?token=hunter3`;
  const { code, out, err } = await place.run('add', 'acme', '--openapi', url);
  assert.notEqual(code, 0);
  assert.match(out + err, /answered with status 403/);
  assert.doesNotMatch(out + err, /hunter/);
});

test('a description that never ends is refused when its time is over', async (t) => {
  const address = await serve(t, (_request, response) => {
    const timer = setInterval(() => response.write('# more\n'), 20);
    response.once('close', () => clearInterval(timer));
  });
  const folder = createWorkplace(t).base;
  await assert.rejects(
    fetchDescription(new URL(address), folder, 300),
    /^FetchError: cannot fetch .*: it did not end within 0\.3 s$/,
  );
});

test('a folder in the place of a description is refused by its name', async (t) => {
  const place = createWorkplace(t);
  const { code, err } = await place.run('add', 'acme', '--openapi', 'specs');
  assert.equal(code, exitCodes.errors);
  assert.match(err, /^expected a file or an http\(s\) address, got the folder specs$/m);
});

test('what is no regular file, or larger than the limit, is refused as it is read', async (t) => {
  const place = createWorkplace(t);
  const device = await place.run('add', 'acme', '--openapi', '/dev/zero');
  assert.equal(device.code, exitCodes.errors);
  assert.equal(device.err, 'cannot read /dev/zero: it is not a regular file\n');
  place.write('large.json', '');
  truncateSync(join(place.base, 'large.json'), 65 * 1024 * 1024);
  const large = await place.run('add', 'acme', '--openapi', 'large.json');
  assert.equal(large.code, exitCodes.errors);
  assert.match(large.err, /^cannot read large\.json: it has 68157440 bytes, more than the limit/);
});

test('a file that holds more than its size tells is read to its end', {
  skip: process.platform !== 'linux',
}, () => {
  // Files of the kernel say that they are empty.
  const source = readSourceText('/proc/self/status');
  assert.match(source.text ?? '', /^Name:[\s\S]*\n$/);
});

test('problems of a fetched description stand at its address', async (t) => {
  const broken = 'openapi: 3.1.0\npaths:\n\t/a: {}\n';
  const address = await serve(t, (_request, response) => response.end(broken));
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  const url = `${address.replace('//', '//me:hunter2@')}/api.yaml?token=hunter3`;
  const { err } = await place.run('add', 'acme', '--openapi', url);
  assert.equal(err.split(' ')[0], `${address}/api.yaml:3:1`);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  const drift = await place.run('drift', 'acme', '--openapi', url);
  assert.equal(drift.err.split(' ')[0], `${address}/api.yaml:3:1`);
});
