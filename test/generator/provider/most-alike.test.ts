import assert from 'node:assert/strict';
import test from 'node:test';
import { mostAlike } from '../../../generator/provider/draft/draft-operation.ts';

const byPage = { style: 'page' as const, request: { page: 'page' } };
const withLimit = { style: 'page' as const, request: { limit: 'size', page: 'page' } };
const otherLimit = { style: 'page' as const, request: { page: 'page', limit: 'count' } };
const byCursor = { style: 'cursor' as const, request: { cursor: 'after', limit: 'size' } };

test('the usual paging is that which most share, where those without its limit count too', () => {
  const guesses = [byCursor, byCursor, byPage, otherLimit, withLimit, { ...withLimit }];
  assert.equal(mostAlike(guesses), withLimit);
  assert.equal(mostAlike([...guesses, byCursor, byCursor]), byCursor);
  assert.equal(mostAlike([byPage, byCursor]), byPage);
  assert.equal(mostAlike([{ style: 'page' }, { style: 'page' }, byCursor]), byCursor);
  assert.equal(mostAlike([]), undefined);
});

test('each of thousands of lists that page is looked at a few times', () => {
  const count = 2000;
  let looks = 0;
  const guesses = Array.from({ length: count }, () => ({
    style: 'page' as const,
    get request() {
      looks += 1;
      return { page: 'page' };
    },
  }));
  mostAlike(guesses);
  assert.ok(looks < 10 * count, `${looks} looks`);
});
