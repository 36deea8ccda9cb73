import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock, type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { CommerceTables, PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import { type Served, serve } from '../../runtime/cli/served.ts';
import { startWholeServer } from '../../surfaces/identity/whole-server.ts';
import type { Chain } from '../chain.ts';
import { merchant, openShop, pay, payer, signedPayment, unwrapped, wrapped } from '../shop.ts';

const burst = 6;
const price = 10_000n;
/** Later than anything that was begun may take. */
const laterMs = 7_200_000;

interface Shown {
  readonly payment: string;
  readonly isNamed: boolean;
  isAnswered: boolean;
}

/** What can be struck while payments are under way. */
export interface Target {
  /** All answers to what was just paid. */
  readonly asked: Promise<unknown>;
  killServer(): Promise<void>;
}

export interface Campaign {
  readonly chain: Chain;
  readonly kills: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Strike for the `kill`th time. */
  strike(target: Target, kill: number): Promise<void>;
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Pay all the time, strike at random moments, and hold chain, claims, ledger and audit log together at the end. */
export async function fight(t: TestContext, { chain, kills, env: more = {}, strike }: Campaign) {
  const before = await chain.balanceOf(payer.address);
  const first = await openShop(t, { chain, env: more });
  const { env } = first;
  const shown: Shown[] = [];
  let server: Served | undefined = first;
  // Of however busy a machine: the moments lie between the first step of a payment and its last.
  let spanMs = 1500;
  for (let kill = 0; kill < kills; kill += 1) {
    const running: Served = server ?? (await serve(t, env));
    server = running;
    const base = running.url.origin;
    const made = await Promise.all(
      Array.from({ length: burst }, (_, at) => madeFor(base, shown.length + at)),
    );
    shown.push(...made);
    const asked = Promise.all(made.map((each) => show(base, each)));
    await sleep(Math.random() * spanMs);
    const killServer = async () => {
      running.child.kill('SIGKILL');
      await once(running.child, 'exit');
      server = undefined;
      await asked;
    };
    const done = made.filter(({ isAnswered }) => isAnswered).length;
    if (done === 0) spanMs *= 1.3;
    else if (done === burst) spanMs *= 0.8;
    await strike({ asked, killServer }, kill);
  }
  if (server !== undefined) {
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
  }
  await settled(t, { env, chain, shown, before });
}

async function madeFor(base: string, at: number): Promise<Shown> {
  const payment = await signedPayment(base, '/api/v1');
  const isNamed = at % 2 === 0;
  return { payment: isNamed ? named(payment, at) : payment, isNamed, isAnswered: false };
}

function named(payment: string, name: number): string {
  const info = { required: false, id: `kill_${String(name).padStart(16, '0')}` };
  return wrapped({ ...unwrapped(payment), extensions: { 'payment-identifier': { info } } });
}

async function show(base: string, each: Shown): Promise<void> {
  const answer = await pay(base, '/api/v1', each.payment).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  each.isAnswered = answer?.status === 200 && text !== undefined;
}

interface Field {
  readonly env: Readonly<Record<string, string>>;
  readonly chain: Chain;
  readonly shown: readonly Shown[];
  /** What the payer had. */
  readonly before: bigint;
}

/** Hours later, another process looks after all that was begun. */
async function settled(t: TestContext, { env, chain, shown, before }: Field): Promise<void> {
  const now = Date.now;
  mock.method(Date, 'now', () => now() + laterMs);
  t.after(() => mock.restoreAll());
  const { base, service } = await startWholeServer(t, { ...env, SERVICE_AUTH: 'local' });
  const { db } = storeWith<CommerceTables>(service.engines.store);
  const rows = async (): Promise<readonly PaymentRow[]> =>
    db.selectFrom('payment').selectAll().execute();
  const isOpen = ({ state }: PaymentRow) =>
    !['delivered', 'rejected', 'failed', 'refunded'].includes(state);
  while ((await rows()).some(isOpen)) {
    await service.commands['payments']?.(['reconcile'], {}).catch(() => {});
    await sleep(500);
  }

  const ended = await rows();
  const count = (...states: readonly string[]) =>
    ended.filter(({ state }) => states.includes(state)).length;
  const delivered = count('delivered');
  const kept = price * BigInt(delivered);
  assert.equal(await chain.balanceOf(merchant.address), kept, 'the chain says what the claims say');
  assert.equal(await chain.balanceOf(payer.address), before - kept);
  const answered = shown.filter(({ isAnswered }) => isAnswered).length;
  assert.ok(answered <= delivered, 'nobody has an answer whose money went back');
  assert.deepEqual(await auditedClaims(service), {
    settled: count('delivered', 'refunded'),
    refunded: count('refunded'),
  });
  const told = await service.commands['payments']?.(['reconcile'], {});
  assert.match(String(told), /movements found where the money is/);

  // What was delivered and lost on its way is there for who has given it a name.
  const again = shown.filter(({ isNamed, isAnswered }) => isNamed && !isAnswered);
  let given = 0;
  for (const { payment } of again) {
    const answer = await pay(base, '/api/v1', payment);
    if (answer.status === 200) given += 1;
  }
  assert.equal(await chain.balanceOf(merchant.address), kept, 'and nothing is paid for it again');
  t.diagnostic(
    `${shown.length} payments, ${delivered} delivered, ${count('refunded')} given back, ${answered} answered, ${given} answered from the record`,
  );
}

/** Payments that the audit log says were settled, and given back. */
export async function auditedClaims({
  engines,
}: Awaited<ReturnType<typeof startWholeServer>>['service']) {
  const log = await engines.audit.open();
  const claims = async (action: string) => {
    const found = new Set<unknown>();
    for (let before: number | undefined; ; ) {
      const page = await log.list({ tenant: 'default', action, limit: 1000, before });
      for (const { entry } of page.records) found.add(entry.payload['claim_id']);
      if (page.next === undefined) return found.size;
      before = page.next;
    }
  };
  return { settled: await claims('PAYMENT_SETTLED'), refunded: await claims('PAYMENT_REFUNDED') };
}
