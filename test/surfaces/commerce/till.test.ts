import assert from 'node:assert/strict';
import test from 'node:test';
import { PaymentUsed } from '#contract/payment/payment';
import { callOf, merchant, openTill, price } from './fake-till.ts';

const answer = { status: 200, body: { ok: true } };
const named = { identifier: 'pay_0123456789abcdef' };

/** The code of a refusal. */
const code = (expected: string) => (error: unknown) =>
  error instanceof PaymentUsed && error.code === expected;

test('a thousand copies of a named payment are one run, one settlement and 999 recorded answers', async (t) => {
  const { till, fake, payment } = await openTill(t);
  const counter = till();
  const shown = payment(named);
  let runs = 0;
  const work = async () => {
    runs += 1;
    return answer;
  };
  const contexts = Array.from({ length: 1000 }, () => callOf());
  const answers = await Promise.all(contexts.map((each) => counter.sell(shown, each, work)));
  assert.equal(runs, 1);
  assert.equal(fake.sent, 1);
  for (const each of answers) assert.deepEqual(each, answer);
  const receipts = new Set(contexts.map(({ receipt }) => JSON.stringify(receipt?.meta)));
  assert.equal(receipts.size, 1, 'all hear of the same transaction');
  assert.equal(fake.balanceOf(merchant), price);
  // Also after a start, from the store alone.
  assert.deepEqual(await till().sell(shown, callOf(), work), answer);
  assert.equal(runs, 1);
});

test('who shows only what stands on the chain gets no answer for which another one has paid', async (t) => {
  const { till, payment } = await openTill(t);
  const shown = payment(named);
  await till().sell(shown, callOf(), async () => answer);
  for (const identifier of [undefined, 'pay_another_0123456789']) {
    const copy = { ...shown, identifier };
    const sold = till().sell(copy, callOf(), async () => answer);
    await assert.rejects(sold, code('duplicate_settlement'));
  }
});

test('the record answers only what was asked for when it was paid', async (t) => {
  const { till, payment } = await openTill(t);
  const shown = payment(named);
  await till().sell(shown, callOf(), async () => answer);
  const other = { ...shown, sale: { ...shown.sale, digest: 'another' } };
  const sold = till().sell(other, callOf(), async () => answer);
  await assert.rejects(sold, code('duplicate_settlement'));
});

test('an identifier is that of one payment (x402, payment-identifier)', async (t) => {
  const { till, fake, payment } = await openTill(t);
  const shown = payment(named);
  await till().sell(shown, callOf(), async () => answer);
  const nonce = `0x${'7'.repeat(64)}`;
  const second = { ...shown, authorization: { ...shown.authorization, nonce } };
  const sold = till().sell(second, callOf(), async () => answer);
  await assert.rejects(sold, code('payment_identifier_conflict'));
  assert.equal(fake.sent, 1);
  // That of another payer is another one.
  await till().sell(payment(named), callOf(), async () => answer);
  assert.equal(fake.sent, 2);
});

test('a payment of MPP is known again by its challenge, which stands on no chain', async (t) => {
  const { till, fake, payment } = await openTill(t);
  const shown = payment({ rail: 'mpp', challengeId: 'c'.repeat(43) });
  await till().sell(shown, callOf(), async () => answer);
  const context = callOf();
  assert.deepEqual(await till().sell(shown, context, async () => assert.fail()), answer);
  assert.ok(context.receipt?.headers['payment-receipt']);
  assert.equal(fake.sent, 1);
});

test('somebody else who submits the authorization first has paid for the caller', async (t) => {
  const { till, fake, payment } = await openTill(t);
  fake.weather = ['front-run'];
  assert.deepEqual(await till().sell(payment(), callOf(), async () => answer), answer);
  assert.equal(fake.balanceOf(merchant), price);
});

test('what was taken before it was claimed buys nothing', async (t) => {
  const { till, fake, clock, payment } = await openTill(t);
  const shown = payment();
  fake.take(shown);
  clock.now += 1000;
  await assert.rejects(
    till().sell(shown, callOf(), async () => assert.fail()),
    /402|refused/,
  );
});

test('who comes so late that the money is on its way back gets neither work nor receipt', async (t) => {
  const { till, fake, clock, reconcile, refund, records, payment } = await openTill(t);
  const gate = Promise.withResolvers<void>();
  fake.gate = gate.promise;
  const shown = payment();
  const context = callOf();
  const sold = till().sell(shown, context, async () => assert.fail('nothing is done for it'));
  while ((await rowsOf()).at(0)?.state !== 'settling') await new Promise(setImmediate);
  // Meanwhile the money has arrived, and the job has given the call up.
  fake.take(shown);
  clock.now += 200_000;
  await reconcile();
  gate.resolve();
  await assert.rejects(sold, code('payment_given_back'));
  await refund();
  assert.equal(fake.balanceOf(merchant), 0n);
  assert.equal(context.receipt, undefined);
  async function rowsOf() {
    return records.left(['settling'], Number.MAX_SAFE_INTEGER, 1);
  }
});

test('a payment is known again by the same call of the same caller, unless it was refused', async (t) => {
  const { till, fake, payment } = await openTill(t);
  const shown = payment(named);
  assert.equal(await till().isClaimed(shown, callOf()), false);
  fake.weather = ['refused'];
  await assert.rejects(till().sell(shown, callOf(), async () => answer));
  assert.equal(await till().isClaimed(shown, callOf()), false, 'a person is asked again');
  await till().sell(shown, callOf(), async () => answer);
  assert.equal(await till().isClaimed(shown, callOf()), true);
  const other = { ...shown, sale: { ...shown.sale, digest: 'another call' } };
  assert.equal(await till().isClaimed(other, callOf()), false);
});

test('the job that looks after payments walks all of them', async (t) => {
  const { till, fake, payment, clock, reconcile, records } = await openTill(t);
  fake.weather = Array.from({ length: 130 }, () => 'lost' as const);
  for (let index = 0; index < 130; index += 1) {
    const sold = till().sell(payment(), callOf(), async () => answer);
    await assert.rejects(sold, code('settlement_pending'));
  }
  const all = await records.left(['pending'], Number.MAX_SAFE_INTEGER, 1000);
  assert.equal(all.length, 130);
  clock.now += 3_600_000;
  await reconcile();
  assert.deepEqual(await records.left(['pending'], Number.MAX_SAFE_INTEGER, 1000), []);
});

test('a call that is stopped while its money moves is told not to pay again', async (t) => {
  const { till, fake, payment } = await openTill(t);
  const gate = Promise.withResolvers<void>();
  fake.gate = gate.promise;
  const context = callOf();
  const sold = till().sell(payment(named), context, async () => answer);
  while (context.underWay === undefined) await new Promise(setImmediate);
  assert.equal(context.underWay.code, 'settlement_pending');
  assert.equal(context.underWay.status, 409);
  gate.resolve();
  await sold;
  assert.equal(context.underWay, undefined, 'what is done is not under way');
});

test('work that the server stopped and nobody can ask for again is given back', async (t) => {
  for (const [some, kept] of [
    [{}, 0n],
    [named, price],
  ] as const) {
    const { till, fake, refund, payment } = await openTill(t);
    const controller = new AbortController();
    const context = callOf(controller);
    const work = async () => {
      controller.abort(context.underWay);
      return answer;
    };
    await till().sell(payment(some), context, work);
    await refund();
    assert.equal(fake.balanceOf(merchant), kept);
  }
});

test('work that is done before it is paid is handed out after a crash in between, once it is paid', async (t) => {
  const { till, fake, clock, reconcile, payment } = await openTill(t, 'authorize');
  fake.weather = ['slow'];
  const shown = payment(named);
  const sold = till().sell(shown, callOf(), async () => answer);
  await assert.rejects(sold, code('settlement_pending'));
  clock.now += 200_000;
  await reconcile();
  assert.deepEqual(await till().sell(shown, callOf(), async () => assert.fail()), answer);
});

test('what was paid for and lost its process goes back at the next start, and nothing else', async (t) => {
  const { till, fake, clock, begin, reconcile, refund, records, payment } = await openTill(t);
  const dead = till(9);
  void dead.sell(payment(), callOf(), () => new Promise(() => {}));
  const executing = async () => records.left(['executing'], Number.MAX_SAFE_INTEGER, 9);
  while ((await executing()).length === 0) await new Promise(setImmediate);
  clock.now += 1;
  const isLost = begin();
  void till().sell(payment(), callOf(), () => new Promise(() => {}));
  while ((await executing()).length === 1) await new Promise(setImmediate);
  await reconcile(isLost);
  assert.equal((await executing()).length, 1, 'that of the process that lives');
  await refund();
  assert.equal(fake.balanceOf(merchant), price);
});

test('a refund counts only when it is as deep as the payment had to be', async (t) => {
  const { till, fake, refund, records, payment } = await openTill(t);
  const shown = payment();
  const deep = { ...shown.sale.offer.price, confirmations: 2 };
  const offer = { ...shown.sale.offer, price: deep };
  const paid = { ...shown, sale: { ...shown.sale, offer } };
  await till().sell(paid, callOf(), async () => ({ isError: true }));
  const [row] = await records.left(['refund_due'], Number.MAX_SAFE_INTEGER, 1);
  assert.equal(row?.confirmations, 2);
  // The order goes out, is taken, and the chain forgets it: it is sent again.
  fake.weather = ['slow'];
  await refund();
  assert.equal(fake.balanceOf(merchant), 0n);
  fake.reorganise(1);
  assert.equal(fake.balanceOf(merchant), price);
  await refund();
  assert.equal(fake.balanceOf(merchant), 0n);
});

test('work that took so long that its money went back is not handed out', async (t) => {
  const { till, fake, clock, reconcile, refund, payment } = await openTill(t);
  const work = async () => {
    clock.now += 6_000_000;
    await reconcile();
    return answer;
  };
  const context = callOf();
  await assert.rejects(till().sell(payment(), context, work), code('payment_given_back'));
  assert.equal(context.receipt, undefined);
  await refund();
  assert.equal(fake.balanceOf(merchant), 0n);
});

test('the money of work that fails is due at once', async (t) => {
  const { till, due, payment } = await openTill(t);
  const fail = async () => {
    throw new Error('the work fails');
  };
  await assert.rejects(till().sell(payment(), callOf(), fail), /the work fails/);
  assert.equal(due.size, 1);
});

test('what was done for one caller is told to no other, whatever it knows of the payment', async (t) => {
  const { till, payment } = await openTill(t);
  const shown = payment(named);
  await till().sell(shown, callOf(), async () => answer);
  const context = callOf();
  const caller = { ...context.caller, subject: 'another agent' };
  const other = Object.assign(callOf(), { caller });
  const sold = till().sell(shown, other, async () => assert.fail());
  await assert.rejects(sold, code('duplicate_settlement'));
  assert.deepEqual(await till().sell(shown, context, async () => assert.fail()), answer);
});

test('two who give the same payment back at once give it back once', async (t) => {
  const { till, fake, refund, payment } = await openTill(t);
  const others = payment();
  await till().sell(others, callOf(), async () => answer);
  const shown = payment();
  await till().sell(shown, callOf(), async () => ({ isError: true }));
  await Promise.all([refund(), refund()]);
  assert.equal(fake.balanceOf(shown.authorization.from), 0n);
  assert.equal(fake.balanceOf(merchant), price, 'what others have paid stays');
});
