import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { constants, createGzip } from 'node:zlib';
import { EventCount } from '../../../../runtime/outbound/call/open-stream.ts';
import { parseEvents } from '../../../../runtime/outbound/content/event-stream.ts';
import { caller, stillClock } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** A stream that stays open after what it says. */
function open(response: ServerResponse, headers: Record<string, string>, text: string): void {
  response.writeHead(200, headers).write(text);
}

suite('streams that do not end (HTML, 9.2)', () => {
  test('so many events of one are delivered, with a mark', async (t) => {
    const { url } = await startUpstream(t, (response) =>
      open(response, eventStream, 'event: tick\nid: 1\ndata: {"n":1}\n\ndata: two\n\ndata: 3\n\n'),
    );
    const { data } = caller(t, url, { options: { limits: { streamEvents: 3 } } });
    assert.deepEqual(await data(), {
      events: [{ event: 'tick', id: '1', data: { n: 1 } }, { data: 'two' }, { data: 3 }],
      truncated: true,
      hint: 'the stream had not ended after 3 events; this is what came until then',
    });
  });

  test('what came in its time is delivered, also where that is nothing', async (t) => {
    const { url } = await startUpstream(t, (response) => open(response, eventStream, ': hello\n'));
    const { data } = caller(t, url, { options: { clock: stillClock() } });
    assert.deepEqual(await data(), {
      events: [],
      truncated: true,
      hint: 'the stream had not ended after 10.0 seconds; this is what came until then',
    });
  });

  test('one that is compressed is read as far as it goes', async (t) => {
    const { url } = await startUpstream(t, (response) => {
      response.writeHead(200, { ...eventStream, 'content-encoding': 'gzip' });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write('data: 1\n\n');
    });
    const { data } = caller(t, url, { options: { limits: { streamMs: 500 } } });
    const { events, truncated } = await data();
    assert.deepEqual([events, truncated], [[{ data: 1 }], true]);
  });

  test('lines of JSON are the items of a list, with a mark', async (t) => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const lines = '{"a":1}\n{"a":2}\n';
    const { url } = await startUpstream(t, (response) => open(response, headers, lines));
    const { data } = caller(t, url, { options: { limits: { streamMs: 500 } } });
    assert.deepEqual(await data(), {
      items: [{ a: 1 }, { a: 2 }],
      truncated: true,
      hint: 'the stream had not ended after 0.5 seconds; this is what came until then',
    });
  });

  test('one that is too large is delivered up to there', async (t) => {
    const { url } = await startUpstream(t, (response) =>
      open(response, eventStream, `data: 1\n\ndata: ${'x'.repeat(5000)}`),
    );
    const { data } = caller(t, url, { options: { limits: { responseBytes: 1000 } } });
    const { hint, events } = await data();
    assert.deepEqual(events, [{ data: 1 }]);
    assert.match(String(hint), /not ended after 1000 bytes/);
  });

  test('one that ends is whole, and has no mark', async (t) => {
    const { url } = await startUpstream(t, (response) => {
      response.writeHead(200, eventStream).end('data: 1\r\n\r\ndata: [DONE]');
    });
    assert.deepEqual(await caller(t, url).data(), { events: [{ data: 1 }, { data: '[DONE]' }] });
  });

  test('an answer that is none is waited for', async (t) => {
    const { url } = await startUpstream(t, (response) =>
      open(response, { 'content-type': 'application/json' }, '{"a":'),
    );
    const tool = { timeoutMs: 300 };
    const { failure } = caller(t, url, { tool, options: { limits: { streamMs: 10 } } });
    assert.equal((await failure()).code, 'upstream_timeout');
  });
});

test('events are counted across chunks and with every end of lines', () => {
  const text = ': comment\n\ndata: 1\r\n\r\nid: 2\rdata: 2\r\rdata: 3\n\n\n\ndata: 4';
  const count = new EventCount();
  let events = 0;
  for (const byte of Buffer.from(text)) events = count.add(Buffer.of(byte));
  assert.equal(events, 3);
  assert.equal(new EventCount().add(Buffer.from(text)), 3);
  const data = parseEvents(text, true).events.map((event) => event.data);
  assert.deepEqual(data, [1, 2, 3, 4]);
});
