import assert from 'node:assert/strict';
import test from 'node:test';
import type { Paging } from '#contract/tool';
import type { ToolsClient } from '../connect-tools.ts';
import type { Answer, Exchange, Recorder } from '../mock/recorder.ts';
import { withNextPage } from './next-answer.ts';
import { followPage } from './second-page.ts';

const address = 'http://vendor.invalid/things?page=2';

function changed(told: object, paging: Paging, items: readonly string[] = ['items']): unknown {
  const answer = { headers: {}, body: Buffer.from(JSON.stringify(told)) };
  const next = { paging, items, position: 'abc', address };
  return JSON.parse(withNextPage(answer, next).body.toString());
}

test('an answer is made to have a page after it, as its pagination tells that', () => {
  const cursor: Paging = { style: 'cursor', next: ['meta', 'next'], hasMore: ['more'] };
  assert.deepEqual(changed({ items: [] }, cursor), {
    ...{ items: [], more: true, meta: { next: 'abc' } },
  });
  const id: Paging = { style: 'cursor', next: ['items', -1, 'id'], pageSize: 2 };
  assert.deepEqual(changed({ items: [{ a: 1 }] }, id), { items: [{ a: 1 }, { a: 1, id: 'abc' }] });
  const page: Paging = { style: 'page', total: ['total'], pageSize: 3 };
  assert.deepEqual(changed({ items: ['x'] }, page), { items: ['x', 'x', 'x'], total: 1_000_000 });
  const numbered: Paging = { style: 'page', pages: ['last'] };
  assert.deepEqual(changed({ items: ['x'] }, numbered), { items: ['x'], last: 1_000_000 });
  const url: Paging = { style: 'next_url', next: ['next'] };
  assert.deepEqual(changed({ items: [] }, url), { items: [], next: address });
  const undescribed = { paging: { style: 'offset' }, items: [], position: 2, address } as const;
  const made = withNextPage({ headers: {}, body: Buffer.alloc(0) }, undescribed);
  assert.deepEqual(
    [made.headers, made.body.toString()],
    [...[{ 'content-type': 'application/json' }, '[{}]']],
  );
  const link = withNextPage(
    { headers: {}, body: Buffer.from('[]') },
    { paging: { style: 'link_header' }, items: [], position: 2, address },
  );
  assert.deepEqual(link.headers, { link: `<${address}>; rel="next"` });
});

/** A server whose second request is `second`, and its mock. */
function serving(
  second: string,
  status = 200,
): { readonly client: ToolsClient; readonly recorder: Recorder } {
  const exchanges: Exchange[] = [];
  const recorder = {
    ...{ url: 'http://127.0.0.1:1', dynamic: false, change: undefined, mock: { url: '' } },
    ask: async () => assert.fail('nothing is asked again'),
    take: () => exchanges.splice(0),
    close: async () => {},
  };
  const client: ToolsClient = {
    list: async () => [],
    async call(_, { cursor }) {
      const url = cursor === undefined ? '/things?limit=20' : second;
      const body = Buffer.alloc(0);
      const sent = { method: 'GET', url, headers: {}, body };
      const given: Answer = { headers: {}, body: Buffer.from('{"items":[{}]}') };
      const answer = (recorder as Recorder).change?.(given, sent) ?? given;
      const judged = { status, problem: undefined, violations: [] };
      exchanges.push({ ...sent, ...judged, answer: answer.body });
      const told = JSON.parse(answer.body.toString());
      const next = status === 200 ? { next_cursor: told.next } : {};
      return { structuredContent: { items: told.items, ...next } };
    },
    close: async () => {},
  };
  return { client, recorder };
}

test('a second page is reached only where its position arrives as another one', async () => {
  const paging: Paging = { style: 'cursor', next: ['next'] };
  const list = { name: 'list', paging, items: ['items'], wire: 'after', position: 'abc' };
  const follow = (url: string) =>
    followPage(list, { ...serving(url), document: { at: () => [] }, args: {} });
  assert.equal((await follow('/things?limit=20&after=abc')).outcome, 'reached');
  const lost = await follow('/things?limit=21');
  assert.match(`${lost.outcome}: ${lost.reason}`, /^not reached: "after" is the same in both/);
  const unanswered = { ...serving('', 500), document: { at: () => [] }, args: {} };
  const { outcome, reason } = await followPage(list, unanswered);
  assert.deepEqual([outcome, reason], ['set aside', 'mock-has-no-answer']);
  const again = await follow('/things?limit=20');
  assert.equal(again.outcome, 'not reached');
});
