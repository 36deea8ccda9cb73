import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { bodyDigestOf } from '../../../../runtime/process/body/body-digest.ts';
import { type Body, readBody } from '../../../../runtime/process/body/read-body.ts';

const limit = 8;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: readonly string[];
  readonly isCut?: boolean;
}

/** Read what is sent, piece by piece; gives what was told of it and what the body's digest is. */
async function read({ headers = {}, pieces, isCut = false }: Sent) {
  const stream = new Readable({ read() {} });
  const request = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  const told: string[] = [];
  readBody(request, limit, (body: Body) => told.push(body.toString()));
  const digest = bodyDigestOf(request);
  for (const piece of pieces) {
    stream.push(Buffer.from(piece));
    await setImmediate();
  }
  if (isCut) stream.destroy();
  else stream.push(null);
  await setImmediate();
  return { told, digest };
}

const rows: readonly (readonly [what: string, sent: Sent, told: readonly string[]])[] = [
  ['in one piece', { headers: { 'content-length': '5' }, pieces: ['whole'] }, ['whole']],
  ['in two pieces', { headers: { 'content-length': '5' }, pieces: ['wh', 'ole'] }, ['whole']],
  ['of unknown length', { pieces: ['wh', 'ole'] }, ['whole']],
  ['of nothing', { headers: { 'content-length': '0' }, pieces: [] }, ['']],
  ['as large as it may be', { pieces: ['1234', '5678'] }, ['12345678']],
  ['announced as too large', { headers: { 'content-length': '9' }, pieces: ['1'] }, ['too large']],
  ['that becomes too large', { pieces: ['12345', '6789', '0'] }, ['too large']],
  ['that is cut off', { headers: { 'content-length': '5' }, pieces: ['wh'], isCut: true }, []],
  ['that never comes', { headers: { 'content-length': '5' }, pieces: [], isCut: true }, []],
];

for (const [what, sent, told] of rows) {
  test(`a body ${what} is told ${told.length === 0 ? 'to nobody' : 'once'}`, async () => {
    assert.deepEqual((await read(sent)).told, told);
  });
}

test('whoever brings a proof has the whole body digested, and none that was cut off', async () => {
  const headers = { dpop: 'a proof', 'content-length': '5' };
  const digests = await Promise.all([
    (await read({ headers, pieces: ['whole'] })).digest,
    (await read({ headers, pieces: ['wh', 'ole'] })).digest,
    (await read({ headers, pieces: ['wh'], isCut: true })).digest,
  ]);
  const whole = 'XVdmzy14cBYUIAQY7hRQaQ2a8SyE1SVF5IAvABrVMJk=';
  assert.deepEqual(digests, [whole, whole, undefined]);
});
