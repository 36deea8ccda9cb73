import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { ChainPaymentShown as Payment } from '../../../runtime/surfaces/commerce/records/payment.ts';
import type { Weather } from './fake-chain.ts';
import { callOf, merchant, openTill, price } from './fake-till.ts';

/** So deep a block is before what is in it counts; the chain forgets no deeper ones. */
const depth = 2;

type Command =
  | { readonly kind: 'pay' | 'retry'; readonly which: number; readonly how: How }
  | { readonly kind: 'reorganise'; readonly blocks: number }
  | { readonly kind: 'later'; readonly blocks: number }
  | { readonly kind: 'refund'; readonly weather: Weather }
  | { readonly kind: 'queue' };

interface How {
  readonly isNamed: boolean;
  readonly weather: Weather;
  /** Steps after which the process dies: before the next one, or where there is a half, after it. */
  readonly lifetime: number;
  readonly fails: boolean;
}

const weather = fc.constantFrom<Weather>(
  ...(['fine', 'fine', 'slow', 'queued', 'lost', 'refused', 'front-run'] as const),
);

const how = fc.record({
  isNamed: fc.boolean(),
  weather,
  lifetime: fc.oneof(
    fc.constant(Number.POSITIVE_INFINITY),
    fc.integer({ min: 0, max: 18 }).map((half) => half / 2),
  ),
  fails: fc.boolean(),
});

const commands = fc.array(
  fc.oneof<fc.Arbitrary<Command>[]>(
    fc.record({ kind: fc.constantFrom('pay', 'retry'), which: fc.nat(4), how }),
    fc.record({
      kind: fc.constant('reorganise' as const),
      blocks: fc.integer({ min: 1, max: depth }),
    }),
    fc.record({ kind: fc.constant('later' as const), blocks: fc.integer({ min: 0, max: depth }) }),
    fc.record({ kind: fc.constant('refund' as const), weather }),
    fc.record({ kind: fc.constant('queue' as const) }),
  ),
  { minLength: 1, maxLength: 14 },
);

for (const flow of [undefined, 'authorize'] as const) {
  test(`whatever happens to payments (${flow ?? 'settle-first'}), each is kept for work that was done, or is with its payer`, async (t) => {
    const shop = await openTill(t, flow);
    const run = async (list: readonly Command[]) => {
      const before = shop.fake.balanceOf(merchant);
      const payments: Payment[] = [];
      const done = new Map<Payment, number>();
      for (const command of list) await act(command, payments, done);
      await settleDown();
      let kept = 0n;
      for (const payment of payments) {
        const [row] = await shop.store.db
          .selectFrom('payment')
          .selectAll()
          .where('claim', 'like', `%${payment.authorization.nonce}`)
          .execute();
        const paid = -shop.fake.balanceOf(payment.authorization.from);
        const state = row?.state ?? 'never claimed';
        assert.ok(paid === 0n || paid === price, `${state}: paid ${paid}`);
        assert.equal(paid === price, state === 'delivered', `${state}: paid ${paid}`);
        const times = done.get(payment) ?? 0;
        if (state === 'delivered') assert.ok(times >= 1, 'nothing is kept for nothing');
        if (flow === undefined) assert.ok(times <= 1, `the work was done ${times} times`);
        kept += paid;
      }
      assert.equal(shop.fake.balanceOf(merchant) - before, kept);
      assert.equal(shop.due.size, 0, 'nothing is left to be given back');
    };
    const act = async (command: Command, payments: Payment[], done: Map<Payment, number>) => {
      switch (command.kind) {
        case 'reorganise':
          return shop.fake.reorganise(command.blocks);
        case 'later':
          return later(200_000, command.blocks);
        case 'queue':
          return shop.fake.mineQueued();
        case 'refund':
          shop.fake.weather = [command.weather];
          return shop.refund();
        default:
          return pay(command, payments, done);
      }
    };
    const pay = async (
      { kind, which, how }: Command & { kind: 'pay' | 'retry' },
      payments: Payment[],
      done: Map<Payment, number>,
    ) => {
      const old = kind === 'retry' ? payments[which % Math.max(payments.length, 1)] : undefined;
      const shown = old ?? fresh(how);
      if (old === undefined) payments.push(shown);
      shop.fake.weather = [how.weather];
      const work = async () => {
        done.set(shown, (done.get(shown) ?? 0) + 1);
        if (how.fails) throw new Error('the work fails');
        return { status: 200, body: {} };
      };
      const counter = shop.till(how.lifetime, 0);
      const sold = counter.sell(shown, callOf(), work);
      await Promise.race([sold, counter.died]).catch(() => {});
    };
    const fresh = ({ isNamed }: How): Payment => {
      const payment = shop.payment(isNamed ? { identifier: `pay_${crypto.randomUUID()}` } : {});
      const { sale } = payment;
      const price = { ...sale.offer.price, confirmations: depth };
      return { ...payment, sale: { ...sale, offer: { ...sale.offer, price } } };
    };
    const later = async (ms: number, blocks: number) => {
      shop.clock.now += ms;
      shop.fake.mine(blocks);
      await shop.reconcile().catch(() => {});
    };
    const settleDown = async () => {
      shop.fake.weather = [];
      shop.fake.mineQueued();
      for (let round = 0; round < 3; round += 1) {
        await later(6_000_000, depth);
        await shop.refund();
      }
    };
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: 75 });
  });
}
