import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { storeWith } from '#contract/house/store';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { CommerceTables, PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { createSpendings } from '../../../../runtime/surfaces/commerce/budgets/spending.ts';
import { createCardEvidence } from '../../../../runtime/surfaces/commerce/card/card-evidence.ts';
import { CardProcessor } from '../../../../runtime/surfaces/commerce/card/card-processor.ts';
import { giveBackByCard } from '../../../../runtime/surfaces/commerce/card/card-refund.ts';
import { followCharge } from '../../../../runtime/surfaces/commerce/card/follow-charge.ts';
import { moneyOf } from '../../../../runtime/surfaces/commerce/engine/look.ts';
import { reconcile, settle } from '../../../../runtime/surfaces/commerce/engine/reconcile.ts';
import { checkLedger } from '../../../../runtime/surfaces/commerce/ledger/check-ledger.ts';
import { createLedger } from '../../../../runtime/surfaces/commerce/ledger/ledger.ts';
import { createPaymentLists } from '../../../../runtime/surfaces/commerce/ledger/payment-lists.ts';
import { refundPayment } from '../../../../runtime/surfaces/commerce/operator/refund-command.ts';
import { createPaymentRecords } from '../../../../runtime/surfaces/commerce/records/payment-records.ts';
import { Processor, secretKey } from '../../../payments/processor/processor.ts';
import { openStore } from '../../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { paymentRow } from '../payment-row.ts';

const price = 125;

type Command =
  | { readonly kind: 'pay'; readonly work: 'done' | 'fails' | 'dies'; readonly isLost: boolean }
  | { readonly kind: 'operator' | 'hear' | 'elsewhere'; readonly which: number }
  | { readonly kind: 'dispute'; readonly which: number; readonly isHeard: boolean }
  | { readonly kind: 'decide'; readonly which: number; readonly status: 'won' | 'lost' }
  | { readonly kind: 'refunds'; readonly ends: 'succeeded' | 'failed' | 'pending' }
  | { readonly kind: 'later' };

const commands = fc.array(
  fc.oneof<fc.Arbitrary<Command>[]>(
    fc.record({
      kind: fc.constant('pay' as const),
      work: fc.constantFrom('done', 'fails', 'dies' as const),
      isLost: fc.boolean(),
    }),
    fc.record({
      kind: fc.constantFrom('operator', 'hear', 'elsewhere' as const),
      which: fc.nat(2),
    }),
    fc.record({
      kind: fc.constant('dispute' as const),
      which: fc.nat(2),
      isHeard: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('decide' as const),
      which: fc.nat(2),
      status: fc.constantFrom('won', 'lost' as const),
    }),
    fc.record({
      kind: fc.constant('refunds' as const),
      ends: fc.constantFrom('succeeded', 'failed', 'pending' as const),
    }),
    fc.record({ kind: fc.constant('later' as const) }),
  ),
  { minLength: 3, maxLength: 14 },
);

test('whatever banks, processors and operators do, the ledger is what the processor has', async (t) => {
  const processor = await Processor.start();
  t.after(() => processor.stop());
  const card = { secretKey, apiUrl: new URL(processor.url) };
  const client = new CardProcessor(card);
  const { isThere } = createCardEvidence(card);
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const records = createPaymentRecords(store, now);
  const told: string[] = [];
  const events = new Proxy({} as CommerceEvents, {
    get: (_, name) => async (fact: { payload: { claim_id: string } }) => {
      return { seq: told.push(`${String(name)} ${fact.payload.claim_id}`) - 1 };
    },
  });
  const due = new Map<string, string>();
  const jobs = {
    enqueue: async ({ tenant, key = '' }: { tenant: string; key?: string }) =>
      void due.set(key, tenant),
  };
  const refund = async ({ tenant, id }: PaymentRow) => void due.set(id, tenant);
  const engine = {
    ...{ records, events, jobs, now, spendings: createSpendings(store), isLost: () => false },
    look: (row: PaymentRow) => moneyOf(row, undefined, client),
  };
  const log = { warn() {} } as never;
  const hear = (intent: string) =>
    followCharge(
      { processor: client, records, events, refund, log, settle: (row) => settle(engine, row) },
      intent,
    );
  const giveBack = async () => {
    for (const [id, tenant] of due) {
      const row = await records.find(tenant, id);
      const isDone = row && giveBackByCard({ processor: client, records, events }, row);
      await isDone?.then(
        () => due.delete(id),
        () => {},
      );
    }
  };

  const run = async (list: readonly Command[]) => {
    const tenant = crypto.randomUUID();
    const { books } = processor;
    const intents = () =>
      Object.values(books.intents).filter(({ metadata }) => metadata['tenant'] === tenant);
    const pick = (which: number) => intents()[which % Math.max(1, intents().length)];
    const backOf = (id: string) =>
      Object.values(books.refunds).filter(
        ({ payment_intent, status }) => payment_intent === id && status !== 'failed',
      );
    const disputeOf = (id: string) =>
      Object.values(books.disputes).find(({ payment_intent }) => payment_intent === id);

    const pay = async ({ work, isLost }: Command & { kind: 'pay' }) => {
      const challenge = crypto.randomUUID();
      const row = paymentRow({
        ...{ tenant, rail: 'card', network: 'card', asset: 'usd', amount: String(price) },
        ...{ challenge, claim: challenge, created_at: now(), valid_before: now() + 300_000 },
      });
      await records.claim(row);
      await records.move(row, ['claimed'], 'settling');
      const charged = await client.charge(row, processor.mint());
      assert.equal(charged.kind, 'settled');
      // The process dies with the answer.
      if (isLost || charged.kind !== 'settled') return;
      const hash = { transaction_hash: charged.transaction };
      await records.move(row, ['settling'], 'executing', hash);
      if (work === 'done') await records.move(row, ['executing'], 'delivered');
      if (work !== 'fails') return;
      await records.move(row, ['executing'], 'refund_due', { fault: 'the work failed' });
      await refund(row);
    };
    const act = async (command: Command): Promise<unknown> => {
      if (command.kind === 'pay') return pay(command);
      if (command.kind === 'later') return later();
      if (command.kind === 'refunds') {
        books.refundStatus = command.ends;
        return giveBack();
      }
      const intent = pick(command.which);
      if (intent === undefined) return undefined;
      const { id, metadata } = intent;
      const dispute = disputeOf(id);
      switch (command.kind) {
        case 'operator':
          return refundPayment({ records, events, refund }, tenant, metadata['claim_id'] ?? '');
        case 'dispute':
          if (dispute === undefined && backOf(id).length === 0) processor.dispute(id);
          return command.isHeard ? hear(id) : undefined;
        case 'decide':
          if (dispute?.status === 'needs_response') dispute.status = command.status;
          return undefined;
        case 'hear':
          return hear(id);
        case 'elsewhere':
          return dispute || backOf(id).length > 0
            ? undefined
            : client.refund({
                tenant,
                id: `by hand ${id}`,
                amount: `${price}`,
                transaction_hash: id,
              });
      }
    };
    const later = async () => {
      clock.ahead += 5_400_000;
      await reconcile(engine, new AbortController().signal).catch(() => {});
      for (const { id } of intents()) await hear(id);
      await giveBack();
    };

    books.refundStatus = 'succeeded';
    for (const command of list) await act(command).catch(() => {});
    books.refundStatus = 'succeeded';
    for (const each of Object.values(books.refunds)) {
      if (each.status === 'pending') each.status = 'succeeded';
    }
    for (let round = 0; round < 4; round += 1) await later();

    const report = await checkLedger(tenant, {
      ...{ lists: createPaymentLists(store), ledger: createLedger(store) },
      ...{ evidenceFromMs: 0, atOnce: 5 },
      evidence: async (entry) => ((await isThere(entry)) ? 'there' : 'missing'),
    });
    assert.deepEqual(report.problems, []);
    const held = report.holdings.reduce((sum, { amount }) => sum + Number(amount), 0);
    const atProcessor = intents().reduce((sum, { id }) => {
      const dispute = disputeOf(id);
      const isTaken = dispute !== undefined && dispute.status !== 'won';
      const back = backOf(id).reduce((all, { amount }) => all + amount, isTaken ? price : 0);
      assert.ok(back <= price, `of ${price}, ${back} went back`);
      return sum + price - back;
    }, 0);
    assert.equal(held, atProcessor);
    for (const row of await store.db
      .selectFrom('payment')
      .selectAll()
      .where('tenant', '=', tenant)
      .execute()) {
      const wanted = { refunded: 'paymentRefunded', disputed: 'paymentDisputed' };
      const event = wanted[row.state as keyof typeof wanted];
      if (event) assert.ok(told.includes(`${event} ${row.id}`), `${row.state} and no entry`);
    }
  };
  await fc.assert(fc.asyncProperty(commands, run), { numRuns: 40 });
});
