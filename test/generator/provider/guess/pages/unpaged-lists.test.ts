import assert from 'node:assert/strict';
import test from 'node:test';
import { draftOperation } from '../../../../../generator/provider/draft/draft-operation.ts';
import { answer, list, natureIn, query } from '../described.ts';

const text = { type: 'string' };

for (const [parameters, beside, items] of [
  [['since'], { more: { type: 'boolean' } }, undefined],
  [['since'], { page: { type: 'object', properties: { has_more: {} } } }, undefined],
  [['startTime'], { nextStartTime: { type: 'integer' } }, undefined],
  [['last_id', 'last_ts'], { next_last_id: text, next_last_ts: text }, undefined],
  [[], { truncated: { type: 'boolean' } }, undefined],
  [[], { isLast: { type: 'boolean' } }, undefined],
  [['size'], { total: { type: 'integer' } }, undefined],
  [[], { count: { type: 'integer' }, status: text }, '$.items'],
  [['page'], { total: { type: 'integer' } }, '$.items'],
  [['cursor'], { next_cursor: text, has_more: { type: 'boolean' } }, '$.items'],
] as const) {
  const what = JSON.stringify([parameters, beside]);
  const told = items === undefined ? 'whole' : 'its items alone';
  test(`an answer with a list is given ${told}: ${what}`, () => {
    const responses = answer({ type: 'object', properties: { items: list, ...beside } });
    const { document, nature } = natureIn('/a', { parameters: query(...parameters), responses });
    const { response } = draftOperation(document, nature, {
      name: 'acme_x',
      usual: undefined,
      auth: { auth: { type: 'none' }, review: '' },
      texts: true,
    });
    assert.equal(response?.items, items);
  });
}

for (const beside of [{ summary: text }, {}]) {
  const isWhole = 'summary' in beside;
  test(`a page that is given ${isWhole ? 'whole names the list' : 'by its items names no list'} in which it goes on`, () => {
    const properties = { items: list, next_cursor: text, ...beside };
    const responses = answer({ type: 'object', properties });
    const { document, nature } = natureIn('/a', { parameters: query('cursor'), responses });
    const { pagination } = draftOperation(document, nature, {
      name: 'acme_x',
      usual: undefined,
      auth: { auth: { type: 'none' }, review: '' },
      texts: true,
    });
    assert.equal(pagination?.response?.counted, isWhole ? '$.items' : undefined);
  });
}
