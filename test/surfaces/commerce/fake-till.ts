import { randomBytes, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { CallContext } from '#contract/caller';
import type { JobRun } from '#contract/house/jobs';
import { storeWith } from '#contract/house/store';
import type { CommerceEvents } from '../../../generated/surfaces/commerce/events.ts';
import type { CommerceTables, PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import { createSpendings } from '../../../runtime/surfaces/commerce/budgets/spending.ts';
import { createIsLost, type IsLost } from '../../../runtime/surfaces/commerce/engine/is-lost.ts';
import { moneyOf } from '../../../runtime/surfaces/commerce/engine/look.ts';
import { createMover } from '../../../runtime/surfaces/commerce/engine/mover.ts';
import { reconcile } from '../../../runtime/surfaces/commerce/engine/reconcile.ts';
import { giveBack } from '../../../runtime/surfaces/commerce/engine/refund.ts';
import { Till } from '../../../runtime/surfaces/commerce/engine/till.ts';
import { offerOf } from '../../../runtime/surfaces/commerce/offers/offer.ts';
import { chainSettings } from '../../../runtime/surfaces/commerce/offers/settings.ts';
import type { ChainPaymentShown } from '../../../runtime/surfaces/commerce/records/payment.ts';
import { createPaymentRecords } from '../../../runtime/surfaces/commerce/records/payment-records.ts';
import { openStore } from '../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { FakeChain } from './fake-chain.ts';

const key = `0x${'5'.repeat(64)}` as const;
/** The account of that key. */
export const merchant = '0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9';
export const price = 10_000n;

const nothing = undefined;
const chain = {
  ...chainSettings({
    ...{ payTo: nothing, asset: nothing, facilitatorUrl: nothing, rpcUrl: nothing },
    ...{ gasKey: nothing, refundKey: nothing, network: 'eip155:84532' },
  }),
  payTo: merchant,
};

/** The steps of the payment engine over a store and a chain that do what a test wants. */
export async function openTill(t: TestContext, flow?: 'authorize') {
  const clock = { now: 1_800_000_000_000 };
  const now = () => clock.now;
  const own = await openStore(t, { dataDir: temporaryDirectory(t) });
  const store = storeWith<CommerceTables>(own);
  const records = createPaymentRecords(store, now);
  const fake = new FakeChain(now);
  const told: string[] = [];
  const events = new Proxy({} as CommerceEvents, {
    get: (_, name) => async (fact: { payload: { claim_id: string } }) => {
      told.push(`${String(name)} ${fact.payload.claim_id}`);
      return { seq: told.length - 1 };
    },
  });
  const due = new Map<string, string>();
  const jobs = {
    async enqueue({ tenant, key: id = '' }: { tenant: string; key?: string }) {
      due.set(id, tenant);
    },
  };
  const cashier = { challengeKey: () => Buffer.alloc(32), now };
  const refund = async ({ tenant, id }: { tenant: string; id: string }) => {
    due.set(id, tenant);
  };
  /** As after a start of another process: nothing of it is in memory. It dies after so many steps. */
  const till = (lifetime = Number.POSITIVE_INFINITY, copyWaitMs = 30_000) => {
    const death = Promise.withResolvers<void>();
    const life = { left: lifetime, end: death.resolve };
    const mortal = <Part extends object>(part: Part) => mortalPart(part, life);
    const counter = new Till({
      ...{ chain, cashier, copyWaitMs },
      ...{ records: mortal(records), events: mortal(events) },
      mover: mortal(createMover({ settler: fake, processor: undefined })),
      refund: mortal({ refund }).refund,
    });
    return Object.assign(counter, { died: death.promise });
  };
  const { signal } = new AbortController();
  const spendings = createSpendings(store);
  const look = (row: PaymentRow) => moneyOf(row, fake, undefined);
  return {
    ...{ clock, records, fake, told, due, till, store },
    /** What a process knows that begins now. */
    begin: () => createIsLost({ store: own, now }),
    reconcile: (isLost: IsLost = () => false) =>
      reconcile({ records, spendings, events, jobs, look, isLost, now }, signal),
    /** Give back what is due. */
    async refund() {
      for (const [id, tenant] of due) {
        const run = { tenant, key: id, signal } as unknown as JobRun;
        const parts = { chain, settler: fake, records, events, key, now };
        await giveBack(parts, run).then(
          () => due.delete(id),
          () => {},
        );
      }
    },
    payment: (some: Partial<ChainPaymentShown> = {}) => paymentOf(clock.now, flow, some),
  };
}

function paymentOf(
  now: number,
  flow: 'authorize' | undefined,
  some: Partial<ChainPaymentShown>,
): ChainPaymentShown {
  const operation = { name: 'work', access: 'public' } as const;
  const offer = offerOf(
    operation,
    { amount: '0.01', currency: 'USD', ...(flow && { flow }) },
    { chain, card: undefined },
  );
  const sale = {
    offer,
    target: 'tool:work',
    url: 'http://localhost',
    realm: 'localhost',
    digest: 'd',
    budgets: [],
    plans: [],
  };
  const [requirements] = offer.accepts;
  if (requirements === undefined) throw new Error('it cannot be paid on a chain');
  return {
    rail: 'x402',
    sale,
    requirements,
    authorization: {
      from: `0x${randomBytes(20).toString('hex')}`,
      to: merchant,
      value: String(price),
      validAfter: '0',
      validBefore: String(Math.floor(now / 1000) + 300),
      nonce: `0x${randomBytes(32).toString('hex')}`,
      signature: '0x',
    },
    challengeId: '',
    identifier: undefined,
    ...some,
  };
}

/** The call of a client, and what it was told besides its answer. */
export function callOf(controller = new AbortController()): CallContext {
  return {
    caller: {
      ...{ tenant: 'default', subject: 'agent', client: 'test', transport: 'http' },
      scopes: new Set<string>(),
    },
    signal: controller.signal,
    callId: randomUUID(),
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
  } as CallContext;
}

/** A process that is dead does nothing more; it may die before a step, or after it and know nothing of it. */
function mortalPart<Part extends object>(
  part: Part,
  life: { left: number; end: () => void },
): Part {
  const dead = () => {
    life.left = 0;
    life.end();
    return new Promise<never>(() => {});
  };
  return new Proxy(part, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...given: readonly unknown[]) => {
        if (life.left <= 0) return dead();
        life.left -= 1;
        const done: unknown = await method.apply(target, given);
        return life.left < 0 ? dead() : done;
      };
    },
  });
}
