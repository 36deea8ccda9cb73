import assert from 'node:assert/strict';
import test from 'node:test';
import { callContext, caller } from './harness.ts';
import { sendJson, startUpstream } from './upstream.ts';

// W3C Trace Context, section 2.3: a request to the next system is a span of the same trace.

const traceId = '0af7651916cd43dd8448eb211c80319c';
const trace = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'rojo=1' };

test('each request to a vendor is a span of its own in the trace of the call', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const { call } = caller(t, upstream.url);
  await call({}, callContext({ trace }));
  await call({}, callContext({ trace }));
  const sent = upstream.seen.map(({ headers }) => String(headers['traceparent']));
  assert.equal(sent.length, 2);
  assert.notEqual(sent[0], sent[1]);
  for (const traceparent of sent) {
    assert.match(traceparent, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    assert.notEqual(traceparent, trace.traceparent);
  }
  assert.equal(upstream.seen[0]?.headers['tracestate'], 'rojo=1');
});

test('without a trace a vendor hears of none', async (t) => {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  await caller(t, upstream.url).call();
  assert.equal(upstream.seen[0]?.headers['traceparent'], undefined);
});
