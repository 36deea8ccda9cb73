import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { caller, write } from './harness.ts';
import { startSocket } from './upstream.ts';

/** A vendor that says `answer` to whatever it is asked, and ends the connection. */
const startSaying = (t: TestContext, answer: string) =>
  startSocket(t, (socket) => socket.end(answer));

const body = '\r\n\r\n{"id":1}';
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
for (const [what, answer] of [
  ['of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['without any head', 'garbage\r\n\r\nmore'],
  ['of a length that is no number', `${ok}Content-Length: much${body}`],
  ['of a negative length', `${ok}Content-Length: -1${body}`],
  ['of two lengths', `${ok}Content-Length: 5\r\nContent-Length: 8${body}`],
  ['of a length and in chunks', `${ok}Content-Length: 3\r\nTransfer-Encoding: chunked${body}`],
  ['with a control character in its head', `${ok}X-Broken: \u0001${body}`],
  ['of no status', `HTTP/1.1 000 X\r\nContent-Length: 8${body}`],
] as const) {
  test(`an answer ${what} is said to have come, and to be no HTTP`, async (t) => {
    const url = await startSaying(t, answer);
    const read = await caller(t, url).failure();
    assert.equal(read.message, 'Acme has answered, but its answer is not HTTP');
    const written = await caller(t, url, { tool: write }).failure();
    assert.match(written.message, /not HTTP; what was asked for may have been done$/);
    assert.equal(written.detail.retryable, false);
  });
}

test('after a write that nothing answers, nobody is told that the vendor was not reached', async (t) => {
  const url = await startSaying(t, '');
  const { message, detail } = await caller(t, url, { tool: write }).failure();
  const words = 'the connection was cut; what was asked for may have been done';
  assert.equal(message, `Acme has not answered: ${words}`);
  assert.equal(detail.retryable, false);
});
