import assert from 'node:assert/strict';
import test from 'node:test';
import { chargeFor } from '../../../../runtime/surfaces/commerce/engine/charge.ts';

const most = '50000';
const price = (each: string, amount = '0.001') => ({ amount: '0.05', metered: { amount, each } });

test('a fixed price is charged as it is', () => {
  assert.equal(chargeFor({ amount: '0.05' }, { status: 200 }, most), undefined);
});

test('each kilobyte that has begun counts, of what a client reads', () => {
  const body = (bytes: number) => ({ status: 200, body: Buffer.alloc(bytes) });
  const kilobytes = price('kilobyte');
  assert.deepEqual(chargeFor(kilobytes, body(0), most), { atomic: '0', decimal: '0' });
  assert.deepEqual(chargeFor(kilobytes, body(1), most), { atomic: '1000', decimal: '0.001' });
  assert.deepEqual(chargeFor(kilobytes, body(1025), most), { atomic: '2000', decimal: '0.002' });
  const result = { structuredContent: { text: 'é'.repeat(600) }, content: [] };
  assert.equal(chargeFor(kilobytes, result, most)?.atomic, '2000');
});

test('no more is charged than was signed', () => {
  const result = { status: 200, body: Buffer.alloc(1024 * 1000) };
  assert.deepEqual(chargeFor(price('kilobyte'), result, most), { atomic: most, decimal: '0.05' });
});

test('the items of a list count, and what is no list counts for nothing (RFC 6901)', () => {
  const structuredContent = { found: { 'a/b': [1, 2, 3] }, total: 3 };
  const charged = (each: string) => chargeFor(price(each), { structuredContent }, most)?.atomic;
  assert.equal(charged('/found/a~1b'), '3000');
  assert.equal(charged('/found'), '0');
  assert.equal(charged('/total'), '0');
  assert.equal(charged('/gone/away'), '0');
});

test('what is less than the smallest unit of the token is not charged', () => {
  const structuredContent = { items: [1] };
  const charge = chargeFor(price('/items', '0.0000001'), { structuredContent }, most);
  assert.equal(charge?.atomic, '0');
});
