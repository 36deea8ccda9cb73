import assert from 'node:assert/strict';
import test from 'node:test';
import { childOf, parseTrace, traceIdOf } from '#contract/trace';

// W3C Trace Context, sections 3.2 and 3.3.

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = '00f067aa0ba902b7';
const traceparent = `00-${trace}-${span}-01`;

test('a trace is continued by a span of its own', () => {
  const context = parseTrace(traceparent, 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE');
  assert.ok(context);
  assert.equal(traceIdOf(context), trace);
  const child = childOf(context, 'b7ad6b7169203331');
  assert.deepEqual(child, {
    traceparent: `00-${trace}-b7ad6b7169203331-01`,
    tracestate: 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE',
  });
});

for (const bad of [
  undefined,
  7,
  '',
  traceparent.toUpperCase(),
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `${traceparent}-extra`,
  `${traceparent}\r\nx-evil: 1`,
  ` ${traceparent}`,
]) {
  test(`traceparent ${JSON.stringify(bad)} counts as none`, () => {
    assert.equal(parseTrace(bad, undefined), undefined);
  });
}

for (const bad of [
  7,
  'no-equals-sign',
  'a=b\r\nx-evil: 1',
  'UPPER=1',
  'a=ü',
  Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(),
  `a=${'x'.repeat(256)},b=${'x'.repeat(256)}`,
]) {
  test(`tracestate ${JSON.stringify(bad).slice(0, 40)} is left out, the trace goes on`, () => {
    assert.deepEqual(parseTrace(traceparent, bad), { traceparent });
  });
}
