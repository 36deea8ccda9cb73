import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { startRecorder } from './recorder.ts';

const problem = {
  type: 'https://stoplight.io/prism/errors#UNPROCESSABLE_ENTITY',
  validation: [{ location: ['query', 'n'], severity: 'Error', code: 'type', message: 'no number' }],
};

test('why a HEAD is refused is what a GET of the same is told', async (t) => {
  const mock = createServer(({ url }, response) => {
    response.writeHead(url === '/good' ? 200 : 422, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(problem));
  }).listen(0, '127.0.0.1');
  t.after(() => mock.close());
  await once(mock, 'listening');
  const url = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`;
  const recorder = await startRecorder({ url });
  t.after(() => recorder.close());
  for (const path of ['/bad?n=a', '/good']) await fetch(recorder.url + path, { method: 'HEAD' });
  const [bad, good] = recorder.take();
  assert.deepEqual(
    [bad?.method, bad?.status, bad?.problem, bad?.violations.map(({ location }) => location)],
    ['HEAD', 422, 'UNPROCESSABLE_ENTITY', ['request.query.n']],
  );
  assert.deepEqual([good?.status, good?.problem], [200, undefined]);
});

test('a Prefer of the vendor is passed on, and one that only the mock knows is not held against it', async (t) => {
  const preferred: (string | undefined)[] = [];
  const violation = { location: ['request', 'header', 'prefer'], severity: 'Error', message: 'no' };
  const mock = createServer(({ headers: { prefer } }, response) => {
    preferred.push(prefer?.toString());
    const violations = prefer === 'dynamic=true' ? [{ ...violation, code: 'enum' }] : [];
    response.writeHead(200, { 'sl-violations': JSON.stringify(violations) }).end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => mock.close());
  await once(mock, 'listening');
  const url = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`;
  const recorder = await startRecorder({ url });
  t.after(() => recorder.close());
  recorder.dynamic = true;
  await fetch(recorder.url, { headers: { prefer: 'return=minimal' } });
  await fetch(recorder.url);
  assert.deepEqual(preferred, ['return=minimal', 'dynamic=true', undefined]);
  assert.deepEqual(
    recorder.take().map(({ violations }) => violations),
    [[], []],
  );
});

test('a coding that the mock makes up is not told', async (t) => {
  const mock = createServer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', etag: '"a"' }).end('{}'),
  ).listen(0, '127.0.0.1');
  t.after(() => mock.close());
  await once(mock, 'listening');
  const url = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`;
  const recorder = await startRecorder({ url });
  t.after(() => recorder.close());
  const answer = await fetch(recorder.url);
  assert.equal(answer.headers.get('etag'), '"a"');
  assert.equal(await answer.text(), '{}');
});
