import assert from 'node:assert/strict';
import test, { suite, type TestContext } from 'node:test';
import { path } from '#contract/path';
import { offset, pageNumber } from '#contract/request';
import type { Paging } from '#contract/tool';
import { caller } from '../../harness.ts';
import { sendJson, startUpstream } from '../../upstream.ts';
import type { Arguments } from './paged.ts';

suite('vendors that give fewer items than they are asked for', () => {
  const rows = Array.from({ length: 60 }, (_, at) => at);
  const input = {
    type: 'object',
    properties: { cursor: { type: 'string' }, limit: { type: 'integer', maximum: 100 } },
  };
  const most = 25;

  /** All items, the first call with `limit` and the others with nothing but the cursor. */
  async function readRows(t: TestContext, paging: Paging, told: object, limit: number) {
    const upstream = await startUpstream(t, (response, { url }) => {
      const query = new URLSearchParams(url.split('?')[1]);
      const size = Math.min(Number(query.get('limit')), most);
      const page = query.get('page');
      const start = page === null ? Number(query.get('start')) : (Number(page) - 1) * size;
      sendJson(response, { items: rows.slice(start, start + size), ...told });
    });
    const { data } = caller(t, upstream.url, {
      tool: {
        paging,
        input,
        request: (({ cursor, limit = 20 }: Arguments) => ({
          method: 'GET',
          path: path`/things`,
          query:
            paging.style === 'page'
              ? { page: pageNumber(cursor, 1), limit }
              : { start: offset(cursor), limit },
        })) as never,
        response: { items: ['items'], maxItems: 100 },
      },
    });
    const all: unknown[] = [];
    let result = await data({ limit });
    for (let pages = 1; pages < 10; pages += 1) {
      all.push(...(result['items'] as unknown[]));
      if (result['next_cursor'] === undefined) return all;
      result = await data({ cursor: result['next_cursor'] });
    }
    assert.fail('the list has no end');
  }

  for (const style of ['page', 'offset'] as const) {
    for (const limit of [7, 20, 100]) {
      const name = `${style}: every item of pages of ${limit} comes once`;
      test(`${name}, where only an empty page is sure to be the last`, async (t) => {
        assert.deepEqual(await readRows(t, { style, pageSize: 20, sure: 20 }, {}, limit), rows);
      });
      test(`${name}, where the total is told`, async (t) => {
        const paging: Paging = { style, pageSize: 20, total: ['total'] };
        assert.deepEqual(await readRows(t, paging, { total: 60 }, limit), rows);
      });
    }
  }

  test('page: a size that the tool does not take is refused in a cursor too', async (t) => {
    const { url, seen } = await startUpstream(t, (response) => sendJson(response, { items: [1] }));
    const { failure } = caller(t, url, {
      tool: { paging: { style: 'page', pageSize: 20 }, input, response: { items: ['items'] } },
    });
    const error = await failure({ cursor: '2/101' });
    assert.deepEqual(
      [error.code, error.message, seen.length],
      [
        'invalid_arguments',
        'cursor must be the next_cursor of an earlier answer, but it asks for pages of 101 items',
        0,
      ],
    );
  });

  test('page: a page that did not fit goes on in pages of the same size', async (t) => {
    const { url } = await startUpstream(t, (response, { url }) => {
      const size = Number(new URLSearchParams(url.split('?')[1]).get('limit'));
      sendJson(response, { items: rows.slice(0, size).map((at) => `${at}`.padEnd(20)) });
    });
    const { data } = caller(t, url, {
      tool: {
        paging: { style: 'page', pageSize: 5 },
        input,
        request: (({ limit = 5 }: Arguments) => ({
          method: 'GET',
          path: path`/things`,
          query: { limit },
        })) as never,
        response: { items: ['items'], maxBytes: 400 },
      },
    });
    const first = await data({ limit: 20 });
    const count = (first['items'] as unknown[]).length;
    assert.equal(first['next_cursor'], `skip=${count}/20;`);
    const second = await data({ cursor: first['next_cursor'] });
    assert.equal((second['items'] as string[])[0]?.trim(), String(count));
  });
});
