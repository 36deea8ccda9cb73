import { readPayment } from '../../../runtime/surfaces/commerce/engine/read-payment.ts';
import { offerOf } from '../../../runtime/surfaces/commerce/offers/offer.ts';
import { chainSettings } from '../../../runtime/surfaces/commerce/offers/settings.ts';
import { merchant, signedFor } from '../../payments/shop.ts';
import { median, type Row } from '../row.ts';

const count = 300;
const rounds = 7;

/** What reading and checking a payment takes, up to the claim: its signature most of all. */
export async function payerRow(): Promise<Row> {
  const nothing = undefined;
  const settings = chainSettings({
    ...{ payTo: merchant.address, asset: nothing, rpcUrl: nothing, gasKey: nothing },
    ...{ facilitatorUrl: 'https://f.example', refundKey: nothing, network: 'eip155:84532' },
  } as never);
  const accepted = { chain: settings, card: nothing };
  const operation = { name: 'work', access: 'public' } as const;
  const offer = offerOf(operation, { amount: '0.01', currency: 'USD' }, accepted);
  const sale = { offer, target: 'tool:work', url: 'http://l', realm: 'l', digest: 'd' };
  const cashier = { challengeKey: () => Buffer.alloc(32), now: Date.now };
  const shown: string[] = [];
  for (let made = 0; made < count; made += 1) shown.push(await signedFor({ ...offer.x402 }));
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (const value of shown) {
      readPayment({ rail: 'x402', value }, sale as never, accepted, cashier);
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / count / 1000);
  }
  const best = Math.min(...times);
  return {
    what: 'processor time added to a priced call before settlement',
    target: 'at most 0.5 ms',
    measured: `${best.toFixed(2)} ms`,
    met: best <= 0.5,
    detail: `the payment read and its signature checked; the middle of the rounds ${median(times).toFixed(2)} ms`,
  };
}
