import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type {
  CommerceTables,
  PaymentFacilitationRow,
} from '../../../generated/surfaces/commerce/tables.ts';
import type {
  ChainState,
  SentPayment,
} from '../../../runtime/surfaces/commerce/evm/chain-watch.ts';
import { createFacilitationRecords } from '../../../runtime/surfaces/commerce/facilitator/facilitation-records.ts';
import { resolveFacilitations } from '../../../runtime/surfaces/commerce/facilitator/resolve-facilitations.ts';
import { openStore } from '../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';

const hash = `0x${'a'.repeat(64)}`;
const begun = 1_800_000_000_000;

async function open(t: TestContext) {
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  const clock = { now: begun };
  const records = createFacilitationRecords(store, () => clock.now);
  const told: { outcome?: string; payload: { facilitation_id: string; error?: string } }[] = [];
  const asked: SentPayment[] = [];
  const states = new Map<string, ChainState>();
  const parts = {
    records,
    now: () => clock.now,
    watch: {
      async look(payment: SentPayment): Promise<ChainState> {
        asked.push(payment);
        return states.get(payment.nonce) ?? { kind: 'not taken' };
      },
    },
    events: {
      async paymentFacilitated(fact: (typeof told)[number]) {
        told.push(fact);
        return { seq: told.length };
      },
    } as never,
  };
  const claim = (nonce: string, keeper = '0xtoken') => {
    const id = `id-${nonce}`;
    const row: PaymentFacilitationRow = {
      ...{ tenant: 'default', id, claim: `eip155:1/${keeper}/0xpayer/${nonce}`, amount: '5' },
      ...{ state: 'settling', network: 'eip155:1', asset: '0xtoken', payer: '0xpayer' },
      ...{ pay_to: '0xseller', subject: 'shop', transaction_hash: '' },
      ...{ valid_before: begun + 300_000, created_at: begun, changed_at: begun },
    };
    return records.claim(row);
  };
  const stateOf = async (nonce: string) => {
    const { state } = await store.db
      .selectFrom('payment_facilitation')
      .select('state')
      .where('id', '=', `id-${nonce}`)
      .where('tenant', '=', 'default')
      .executeTakeFirstOrThrow();
    return state;
  };
  const resolve = () => resolveFacilitations(parts, new AbortController().signal);
  return { clock, claim, stateOf, resolve, states, told, asked };
}

test('what was begun and not ended is looked up, and what nobody can take any more is closed', async (t) => {
  const { clock, claim, stateOf, resolve, states, told, asked } = await open(t);
  for (const nonce of ['taken', 'void', 'open', 'deep']) await claim(nonce);
  await claim('permit', 'permit2');
  states.set('taken', { kind: 'taken', transaction: hash });
  states.set('permit', { kind: 'taken', transaction: hash });
  states.set('void', { kind: 'void' });
  states.set('deep', { kind: 'unconfirmed', transaction: hash });
  await resolve();
  assert.equal(asked.length, 0, 'whoever has begun it may still be at work');
  clock.now += 200_000;
  await resolve();
  const found = await Promise.all(['taken', 'permit', 'void', 'open', 'deep'].map(stateOf));
  assert.deepEqual(found, ['settled', 'settled', 'refused', 'settling', 'settling']);
  assert.equal(asked.find(({ nonce }) => nonce === 'permit')?.isPermit, true);
  clock.now += 500_000;
  await resolve();
  assert.deepEqual(await Promise.all(['open', 'deep'].map(stateOf)), ['refused', 'settling']);
  const failed = told.filter(({ outcome }) => outcome === 'failed');
  assert.deepEqual(failed.map(({ payload }) => payload.facilitation_id).toSorted(), [
    'id-open',
    'id-void',
  ]);
});

test('those that cannot be decided keep nothing from those behind them', async (t) => {
  const { clock, claim, stateOf, resolve, states } = await open(t);
  for (let index = 0; index < 120; index += 1) {
    const nonce = `n${String(index).padStart(3, '0')}`;
    states.set(nonce, { kind: 'unconfirmed', transaction: hash });
    await claim(nonce);
  }
  await claim('z');
  states.set('z', { kind: 'taken', transaction: hash });
  clock.now += 200_000;
  await resolve();
  assert.equal(await stateOf('z'), 'settled');
});
