import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { path } from '#contract/path';
import { pageNumber } from '#contract/request';
import type { Paging, ResponseShape, TypedVendorTool } from '#contract/tool';
import { caller } from '../../harness.ts';
import { type Answer, sendJson, startUpstream } from '../../upstream.ts';

export interface Arguments {
  readonly cursor?: string;
  readonly limit?: number;
}

interface PagedSetting {
  readonly paging: Paging;
  readonly answer: Answer;
  readonly items?: ResponseShape['items'];
  readonly request?: TypedVendorTool<Arguments>['request'];
}

export const byCursor: TypedVendorTool<Arguments>['request'] = ({ cursor, limit }) => ({
  method: 'GET',
  path: path`/things`,
  query: { cursor, limit },
});

/** Read a list to its end: the items, and the vendor's addresses that were read. */
export async function readAll(t: TestContext, setting: PagedSetting, args: Arguments = {}) {
  const { paging, answer, items = ['items'], request = byCursor } = setting;
  const upstream = await startUpstream(t, answer);
  const { data } = caller(t, upstream.url, {
    tool: { paging, request: request as never, response: { items } },
  });
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const result = await data(cursor === undefined ? { ...args } : { ...args, cursor });
    all.push(...(result['items'] as unknown[]));
    cursor = result['next_cursor'] as string | undefined;
    if (cursor === undefined) return { all, urls: upstream.seen.map(({ url }) => url) };
  }
  assert.fail('the list has no end');
}

export const thirdIsLast =
  (next: object, none: object): Answer =>
  (response, _, count) =>
    sendJson(response, { items: [count], ...(count < 3 ? next : none) });

export const byPage: TypedVendorTool<Arguments>['request'] = ({ cursor, limit }) => ({
  method: 'GET',
  path: path`/things`,
  query: { page: pageNumber(cursor, 0), limit },
});
