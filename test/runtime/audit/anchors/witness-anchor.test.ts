import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { ForkedLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { createWitnessAnchor } from '../../../../runtime/audit/anchors/witness-anchor.ts';
import {
  Cosigner,
  openCosignature,
  parseWitnessKey,
} from '../../../../runtime/audit/keys/cosignature.ts';
import { MadeUpLog, origin } from '../witness/witness-logs.ts';

const now = 1_700_000_000;
const log = new MadeUpLog();
const cosigner = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));
const { signal } = new AbortController();

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

/** A witness that answers as it is told, and an anchor that asks it. */
async function start(t: TestContext, ...replies: Reply[]) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${body}`);
    const { status, type = 'text/plain', body: text = '' } = replies.shift() ?? { status: 500 };
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/w`;
  const anchor = createWitnessAnchor({
    url,
    vkey: cosigner.vkey,
    clock: { now: () => now * 1000 },
  });
  return { anchor, asked };
}

function textOf(size: number): string {
  const { note } = log.checkpoint(size);
  return note.slice(0, note.indexOf('\n\n') + 1);
}

const cosigned = (size: number): Reply => ({
  status: 200,
  body: cosigner.cosign(textOf(size), now),
});
const sized = (size: number): Reply => ({
  status: 409,
  type: 'text/x.tlog.size',
  body: `${size}\n`,
});

test('it asks from what it believes, and again from the size that the witness names', async (t) => {
  const { anchor, asked } = await start(t, sized(3), cosigned(8), cosigned(9));
  const line = await anchor.put(log.checkpoint(8), log.reads(8), signal);
  assert.equal(openCosignature(textOf(8), line ?? '', parseWitnessKey(cosigner.vkey), now), line);
  await anchor.put(log.checkpoint(9), log.reads(9), signal);
  assert.deepEqual(
    asked,
    [log.body(0, 8), log.body(3, 8), log.body(8, 9)].map(
      (body) => `POST /w/add-checkpoint ${body}`,
    ),
  );
});

test('a checkpoint older than what another replica had cosigned is no failure', async (t) => {
  const { anchor } = await start(t, sized(12));
  assert.equal(await anchor.put(log.checkpoint(8), log.reads(12), signal), undefined);
});

const forked: readonly (readonly [string, readonly Reply[]])[] = [
  ['more entries than the log has', [sized(9)]],
  ['another past', [sized(3), { status: 422 }]],
  ['another root of the same size', [sized(8), sized(8)]],
  ['another root of the same size, in words of its own', [sized(8), { status: 409 }]],
];
for (const [what, replies] of forked) {
  test(`a witness that has seen ${what} tells of a rollback or a fork`, async (t) => {
    const { anchor } = await start(t, ...replies);
    await assert.rejects(anchor.put(log.checkpoint(8), log.reads(8), signal), ForkedLog);
  });
}

const other = new Cosigner('w.example.com/witness', Buffer.alloc(32, 4));
const failing: readonly (readonly [string, readonly Reply[], RegExp])[] = [
  ['400', [{ status: 400 }], /answered 400: it takes the request for malformed/],
  ['403', [{ status: 403 }], /answered 403: it knows the log under another key/],
  ['404', [{ status: 404 }], /answered 404: it does not watch this log/],
  ['429', [{ status: 429 }], /answered 429: it is asked too often/],
  ['a redirect', [{ status: 302 }], /answered 302/],
  ['409 without a size', [{ status: 409 }], /answered 409/],
  ['409 with no number', [{ ...sized(1), body: 'one\n' }], /answered 409/],
  ['409 with the size that was asked', [sized(0)], /answered 409/],
  ['sizes without end', [1, 2, 3, 4, 5, 6].map(sized), /moved on by others 5 times/],
  [
    'a foreign cosignature',
    [{ status: 200, body: other.cosign(textOf(8), now) }],
    /no cosignature/,
  ],
  ['a cosignature of another size', [{ ...cosigned(7) }], /no cosignature/],
  ['an old cosignature', [{ status: 200, body: cosigner.cosign(textOf(8), 5) }], /not of now/],
  ['too much', [{ status: 200, body: 'x'.repeat(70_000) }], /more than 65536 bytes/],
];
for (const [what, replies, reason] of failing) {
  test(`a witness that answers ${what} has failed, and the log goes on`, async (t) => {
    const { anchor } = await start(t, ...replies);
    await assert.rejects(anchor.put(log.checkpoint(8), log.reads(8), signal), (error: Error) => {
      assert.ok(!(error instanceof ForkedLog));
      assert.match(error.message, reason);
      return true;
    });
  });
}

test('what our own witness holds can be read before anything is written', async (t) => {
  const { note } = log.checkpoint(8);
  const { anchor, asked } = await start(t, { status: 200, body: note });
  assert.equal(await anchor.newest(origin, signal), note);
  assert.deepEqual(asked, ['GET /w/checkpoint?origin=tools.example.com%2Faudit ']);
});

test('other witnesses have no such route; what is no checkpoint of the log is a failure', async (t) => {
  const stranger = new MadeUpLog(log.nodes, { name: 'other.example.com/audit' });
  const { anchor } = await start(
    t,
    { status: 404 },
    { status: 405 },
    { status: 503 },
    { status: 200, body: '<html></html>' },
    { status: 200, body: stranger.checkpoint(3).note },
  );
  assert.equal(await anchor.newest(origin, signal), undefined);
  assert.equal(await anchor.newest(origin, signal), undefined);
  await assert.rejects(anchor.newest(origin, signal), /answered 503/);
  await assert.rejects(anchor.newest(origin, signal), /something else than a checkpoint/);
  await assert.rejects(anchor.newest(origin, signal), /something else than a checkpoint/);
});
