import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { path } from '#contract/path';
import { csv } from '#contract/request';
import { caller } from '../harness.ts';

// What arguments do to the header of a request, byte for byte: the upstream reads no HTTP.

/** The lines of each request head that comes. */
async function startRaw(t: TestContext): Promise<{ url: string; heads: string[][] }> {
  const heads: string[][] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      heads.push((text.split('\r\n\r\n')[0] ?? '').split('\r\n'));
      text = '';
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { url: `http://127.0.0.1:${address.port}`, heads };
}

type Given = string | readonly string[] | Readonly<Record<string, string>>;

function header(t: TestContext, url: string, given: Given) {
  const value = () => (typeof given === 'string' ? given : csv(given, true));
  const request = () => ({ method: 'GET', path: path`/things`, headers: { 'x-a': value() } });
  return caller(t, url, { tool: { request } });
}

const sent: readonly (readonly [Given, string])[] = [
  ['a;b,c=d "e"', 'a;b,c=d "e"'],
  ['a\tb', 'a\tb'],
  ['%0d%0ax-evil: 1', '%0d%0ax-evil: 1'],
  ['x'.repeat(100_000), 'x'.repeat(100_000)],
  [['a;b', 'c=d'], 'a;b,c=d'],
  [{ a: 'b=c', d: 'e' }, 'a=b=c,d=e'],
];

for (const [given, line] of sent) {
  test(`${shown(given)} is one header as it stands`, async (t) => {
    const { url, heads } = await startRaw(t);
    await header(t, url, given).call();
    const [head = []] = heads;
    assert.deepEqual(
      head.filter((each) => /^x-(?:a|evil)/i.test(each)),
      [`x-a: ${line}`],
    );
  });
}

const refused: readonly Given[] = [
  ...['\r\nx-evil: 1', '\n', '\r', '\0', '\x7f', '\u0085', 'é', '€', '\u2028'].flatMap((text) => [
    `a${text}b`,
    [`a${text}b`],
    { a: `a${text}b` },
    { [`a${text}b`]: 'a' },
  ]),
  ...[' a', 'a ', '\ta', [' a', 'b'], ['a', 'b\t']],
  ...[['a,b'], { a: 'b,c=d' }, { 'a,b': 'c' }, { 'a=b': 'c' }],
];

for (const given of refused) {
  test(`${shown(given)} is refused, and nothing is sent`, async (t) => {
    const { url, heads } = await startRaw(t);
    const { code } = await header(t, url, given).failure();
    assert.equal(code, 'invalid_arguments');
    assert.deepEqual(heads, []);
  });
}

function shown(given: Given): string {
  return JSON.stringify(given).slice(0, 40);
}
