import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '#contract/errors';
import { storeWith } from '#contract/house/store';
import type { CommerceTables, PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import { createPaymentRecords } from '../../../runtime/surfaces/commerce/records/payment-records.ts';
import { startWholeServer } from '../identity/whole-server.ts';
import { paymentRow } from './payment-row.ts';

async function openOffice(t: Parameters<typeof startWholeServer>[0]) {
  const { base, service } = await startWholeServer(t, { SERVICE_AUTH: 'local' });
  const records = createPaymentRecords(storeWith<CommerceTables>(service.engines.store), Date.now);
  const run = async (words: readonly string[], options = {}) => {
    const command = service.commands['payments'];
    assert.ok(command);
    return command(words, options);
  };
  /** A payment whose work was done. */
  const deliver = async (some: Partial<PaymentRow> = {}) => {
    const row = paymentRow(some);
    await records.claim(row);
    await records.move(row, ['claimed'], 'settling');
    await records.move(row, ['settling'], 'executing', { transaction_hash: '0xabc' });
    await records.move(row, ['executing'], 'delivered');
    return row;
  };
  return { base, records, run, deliver };
}

test('an operator lists payments, sees all of one, and gives it back once', async (t) => {
  const { records, run, deliver } = await openOffice(t);
  assert.equal(await run(['list']), 'there are no payments');
  const row = await deliver({ created_at: Date.parse('2026-11-20T10:00:00Z') });
  const other = await deliver({
    created_at: Date.parse('2026-11-21T10:00:00Z'),
    amount: '2500000',
  });

  const [first, second] = (await run(['list'])).split('\n');
  assert.match(
    String(first),
    new RegExp(`^${other.id}  2026-11-21T10:00:00.000Z  delivered .* 2.5 USDC  GET`),
  );
  assert.match(String(second), new RegExp(`^${row.id}  .* 0.01 USDC  GET /api/v1  agent-1$`));
  const narrowed = await run(['list'], {
    state: 'delivered',
    from: '2026-11-21',
    to: '2026-11-22',
  });
  assert.ok(narrowed.startsWith(other.id) && !narrowed.includes(row.id), narrowed);

  const shown = await run(['show', row.id]);
  assert.match(shown, /^transaction_hash +0xabc$/m);
  assert.match(shown, /^\S+ {2}funds +from unearned +0.01 {2}0xabc$/m);
  assert.match(shown, /^\S+ {2}unearned +from earned +0.01$/m);

  assert.match(await run(['refund', row.id]), /is being given back/);
  assert.equal((await records.find(row.tenant, row.id))?.state, 'refund_due');
  assert.match(await run(['refund', row.id]), /is being given back/);
  await records.move(row, ['refund_due'], 'refunded', { refund_hash: '0xdef' });
  assert.match(await run(['refund', row.id]), /was given back already/);
  assert.match(await run(['show', row.id]), /^\S+ {2}refundable from funds +0.01 {2}0xdef$/m);
  const [, , day] = (await run(['export'])).split('\r\n');
  assert.equal(day, undefined, 'both are of one day and one agent');
});

test('what was never paid is not given back, and what is mistyped says what is expected', async (t) => {
  const { records, run } = await openOffice(t);
  const row = paymentRow();
  await records.claim(row);
  const reversed = { from: '2026-12-01', to: '2026-11-01' };
  const wrong: readonly (readonly [readonly string[], object, RegExp])[] = [
    [['refund', row.id], {}, /cannot be given back: nothing is paid yet/],
    [['refund', 'nothing'], {}, /there is no payment "nothing"/],
    [['show'], {}, /payments takes one of: list, show ID/],
    [['list', 'more'], {}, /payments takes one of/],
    [['list'], { state: 'gone' }, /--state is one of claimed, .*, not "gone"/],
    [['list'], { from: 'yesterday' }, /--from is a day or a time in UTC such as/],
    [['export'], { to: '2026-13-45' }, /--to is a day/],
    [['list'], reversed, /--from 2026-12-01 is not before --to 2026-11-01/],
    [['export'], reversed, /--from 2026-12-01 is not before --to 2026-11-01/],
    [['list'], { tenant: 'nobody' }, /there is no tenant "nobody"/],
  ];
  for (const [words, options, message] of wrong) {
    const isUsage = (error: unknown) =>
      error instanceof ServiceError && error.status === 400 && message.test(error.message);
    await assert.rejects(run(words, options), isUsage, words.join(' '));
  }
});

test('where the ledger and the payments differ, reconcile says so and fails', async (t) => {
  const { base, records, run, deliver } = await openOffice(t);
  const row = await deliver();
  const told = await run(['reconcile']);
  assert.match(told, /^1 payments, 2 entries in the ledger\n0 movements found .*, 1 that cannot/);
  assert.match(told, /: 0.01 USDC has come and not gone back\neverything agrees$/);
  await records.move(row, ['delivered'], 'refund_due');
  const metrics = await (await fetch(`${base}/metrics`)).text();
  assert.match(metrics, /^payments_waiting\{state="refund_due"\} 1$/m);
  const doctor = JSON.parse(await run(['doctor'])) as readonly { kind: string; text: string }[];
  assert.deepEqual(
    doctor.filter(({ kind }) => kind === 'problem').map(({ text }) => text),
    ['1 refunds are due and not done'],
  );
});

test('the number of answers that said how to pay is in the metrics', async (t) => {
  const { base } = await openOffice(t);
  for (let times = 0; times < 3; times += 1) await fetch(`${base}/api/v1`);
  const metrics = await (await fetch(`${base}/metrics`)).text();
  assert.match(metrics, /^payments_challenged_total 3$/m);
});
