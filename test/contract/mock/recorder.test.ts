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
