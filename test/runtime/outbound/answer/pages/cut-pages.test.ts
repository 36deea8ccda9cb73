import assert from 'node:assert/strict';
import test from 'node:test';
import { path } from '#contract/path';
import type { Paging } from '#contract/tool';
import { caller } from '../../harness.ts';
import { sendJson, startUpstream } from '../../upstream.ts';
import type { Arguments } from './paged.ts';

const long = 'x'.repeat(200);
const rows = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, long }));
const request = (({ cursor }: Arguments) => ({
  method: 'GET',
  path: path`/things`,
  query: { cursor },
})) as never;

/** All ids of an answer that is given whole, two pages of which are larger than a result. */
async function readWhole(
  t: test.TestContext,
  paging: Partial<Paging>,
  beside: Readonly<Record<string, unknown>> = {},
) {
  const upstream = await startUpstream(t, (response, { url }) =>
    url.includes('cursor=b')
      ? sendJson(response, { rows: rows.slice(4), ...beside })
      : sendJson(response, { rows: rows.slice(0, 4), next: 'b', ...beside }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      paging: { style: 'cursor', next: ['next'], ...paging },
      request,
      response: { maxBytes: 800 },
    },
  });
  const results = [];
  for (let cursor: unknown; results.length < 9; ) {
    const result = await data(typeof cursor === 'string' ? { cursor } : {});
    results.push(result);
    cursor = result['next_cursor'];
    if (cursor === undefined) break;
  }
  return results;
}

function idsOf(result: Readonly<Record<string, unknown>>): unknown[] {
  return (result['rows'] as { id: number }[]).map(({ id }) => id);
}

test('a page that is given whole and too large goes on behind the last item that fits', async (t) => {
  const results = await readWhole(t, { counted: ['rows'] });
  assert.deepEqual(results.map(idsOf), [[1, 2, 3], [4], [5, 6, 7]]);
  assert.deepEqual(
    results.map((result) => [result['next_cursor'], result['truncated']]),
    [
      ['skip=3;', true],
      ['b', undefined],
      [undefined, undefined],
    ],
  );
});

test('of a page whose list nobody knows, it is said that the next cursor leads behind what is left out', async (t) => {
  const [first] = await readWhole(t, {});
  assert.match(String(first?.['hint']), /next_cursor leads behind it/);
  assert.deepEqual([first?.['next_cursor'], first?.['truncated']], ['b', true]);
});

test('a cursor is never shortened with the page that it comes with', async (t) => {
  const token = 'c'.repeat(300);
  const upstream = await startUpstream(t, (response) =>
    sendJson(response, { one: long, two: long, three: long, next: token }),
  );
  const { data } = caller(t, upstream.url, {
    tool: {
      paging: { style: 'cursor', next: ['next'] },
      request,
      response: { maxBytes: 900, drop: ['next'] },
    },
  });
  assert.equal((await data({}))['next_cursor'], token);
});

test('what is large beside a list is shortened with it', async (t) => {
  const [first] = await readWhole(t, { counted: ['rows'] }, { text: 'y'.repeat(2000) });
  assert.equal(first?.['next_cursor'], 'b');
  assert.ok(JSON.stringify(first).length <= 800);
});
