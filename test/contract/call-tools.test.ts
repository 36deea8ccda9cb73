import assert from 'node:assert/strict';
import test from 'node:test';
import { type Bench, callTools } from './call-tools.ts';
import type { Exchange } from './mock/recorder.ts';

const sent = { method: 'GET', url: '/a', headers: {}, body: Buffer.alloc(0) };
const said = { status: 200, answer: Buffer.alloc(0), problem: undefined, violations: [] };
const violation = { location: 'request.query.n', code: 'type', message: 'no number' };
const revive = async () => {};
const mock = { url: 'http://whole.invalid', revive, stop: revive };
const other = { ...mock, url: 'http://alone.invalid' };
const document = {
  ...{ file: '', keepsReferences: false, close: () => {} },
  at: () => [],
};

/** Call one tool whose requests the mock of the whole fails at, and another judges so. */
async function outcomes(alone: Partial<Exchange>): Promise<readonly string[]> {
  let passed: Exchange[] = [];
  const bench: Bench = {
    mock,
    document,
    client: {
      list: async () => [],
      async call() {
        passed = [{ ...sent, ...said, status: 500 }];
        return { isError: true, content: [{ type: 'text', text: 'no answer' }] };
      },
      close: revive,
    },
    recorder: {
      ...{ url: '', dynamic: false, change: undefined, mock, close: revive },
      take: () => passed.splice(0),
      async ask(asked) {
        assert.equal(asked, other);
        return { ...sent, ...said, ...alone };
      },
    },
    silentAtNone: async () => ({ mock: other, document }),
  };
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
  const { calls } = await callTools(tools, bench, () => []);
  return calls.map(({ outcome, answer }) => `${outcome}${answer ? ', with an answer' : ''}`);
}

test('what the mock of the whole cannot judge is asked of one that has the operations alone', async () => {
  assert.deepEqual(new Set(await outcomes({})), new Set(['accepted']));
  const refused = await outcomes({ status: 422, violations: [violation] });
  assert.deepEqual(new Set(refused), new Set(['refused by document']));
  assert.deepEqual(new Set(await outcomes({ status: 500 })), new Set(['set aside']));
});
