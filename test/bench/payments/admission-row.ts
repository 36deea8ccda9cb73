import type { Operation } from '#contract/operation';
import type { Run } from '#contract/surface/admission-parts';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { paymentStep } from '../../../runtime/surfaces/commerce/engine/payment-step.ts';
import { chainSettings } from '../../../runtime/surfaces/commerce/offers/settings.ts';
import { callOf } from '../../surfaces/commerce/fake-till.ts';
import type { Row } from '../row.ts';

const calls = 200_000;
const pairs = 15;

/** What the step of payments adds to a call that costs nothing, of all that admission does with it. */
export async function admissionRow(): Promise<Row> {
  const nothing = undefined;
  const chain = chainSettings({
    ...{ payTo: nothing, asset: nothing, facilitatorUrl: nothing, rpcUrl: nothing },
    ...{ gasKey: nothing, refundKey: nothing, network: 'eip155:84532' },
  } as never);
  const operation: Operation = { name: 'echo', access: 'public' };
  const payment = paymentStep({ chain, card: nothing }, () => Promise.reject(new Error('unused')));
  const sides = [{}, { payment }].map((more) => {
    const { admit } = createAdmission({ callRate: 0, ...more });
    return admit(operation, async () => 1);
  });
  const [without, withStep] = sides;
  if (!without || !withStep) throw new Error('there are two');
  const times = { without: Number.POSITIVE_INFINITY, withStep: Number.POSITIVE_INFINITY };
  for (let pair = 0; pair < pairs; pair += 1) {
    // The least of many: whatever else runs on the machine only adds to it.
    times.without = Math.min(times.without, await time(without));
    times.withStep = Math.min(times.withStep, await time(withStep));
  }
  const added = (times.withStep / times.without - 1) * 100;
  return {
    what: 'processor time added to an unpriced `tools/call`',
    target: 'at most 1 %',
    measured: `${Math.max(0, added).toFixed(1)} % of admission alone`,
    met: added <= 1,
    detail: 'such an operation has no step of payments in front of it',
  };
}

async function time(run: Run<unknown>): Promise<number> {
  const context = callOf();
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run({}, context);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
