import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { path } from '#contract/path';
import type { Paging } from '#contract/tool';
import { caller } from '../../harness.ts';
import { startUpstream } from '../../upstream.ts';

const rows = Array.from({ length: 45 }, (_, at) => at);
const input = {
  type: 'object',
  properties: { cursor: { type: 'string' }, limit: { type: 'integer', maximum: 100 } },
};

interface Arguments {
  readonly cursor?: string;
  readonly limit?: number;
}

/** All rows of a vendor that numbers its pages, the first call with a limit, the others with the cursor alone. */
async function readRows(t: TestContext, paging: Paging, limit: number): Promise<unknown[]> {
  const isAddress = paging.parameter === undefined && paging.nextHeader === undefined;
  const { url } = await startUpstream(t, (response, asked) => {
    const query = new URLSearchParams(asked.url.split('?')[1]);
    const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('limit'))];
    const isLast = number * size >= rows.length;
    const headers = { link: `</things?page=${number + 1}>; rel="next"`, 'x-next': `${number + 1}` };
    response.writeHead(200, { 'content-type': 'application/json', ...(isLast ? {} : headers) });
    response.end(JSON.stringify(rows.slice((number - 1) * size, number * size)));
  });
  const { data } = caller(t, url, {
    tool: {
      ...{ paging, input, response: { items: [], maxItems: 100 } },
      request: (({ cursor, limit = 20 }: Arguments) => ({
        method: 'GET',
        path: path`/things`,
        query: isAddress ? { limit } : { page: cursor, limit },
        ...(isAddress && { continueAt: cursor }),
      })) as never,
    },
  });
  const all: unknown[] = [];
  let result = await data({ limit });
  for (let pages = 1; pages < 20; pages += 1) {
    all.push(...(result['items'] as unknown[]));
    if (result['next_cursor'] === undefined) return all;
    result = await data({ cursor: result['next_cursor'] });
  }
  assert.fail('the list has no end');
}

for (const [what, paging] of [
  ['an address of which one parameter is taken', { style: 'link_header', parameter: 'page' }],
  ['an address of which all is taken', { style: 'link_header' }],
  ['a number in a header', { style: 'cursor', nextHeader: 'X-Next' }],
] as const) {
  for (const limit of [7, 20, 40]) {
    test(`no item of pages of ${limit} is left out where the next one is ${what}`, async (t) => {
      assert.deepEqual(await readRows(t, { ...paging, pageSize: 20 }, limit), rows);
    });
  }
}

test('a bare list in the place of one in an object is given as it came', async (t) => {
  const { url } = await startUpstream(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('[{"id":1}]');
  });
  const { data } = caller(t, url, { tool: { response: { items: ['member'] } } });
  assert.deepEqual(await data(), { items: [], answer: [{ id: 1 }] });
});
