import { chainClient } from '../../../runtime/surfaces/commerce/evm/chain-client.ts';
import { LocalSettler } from '../../../runtime/surfaces/commerce/evm/local-settler.ts';
import { readPayload } from '../../../runtime/surfaces/commerce/x402/payment-payload.ts';
import { requirementsFor } from '../../../runtime/surfaces/commerce/x402/payment-required.ts';
import { Chain, chainId, keys, usdc } from '../../payments/chain.ts';
import { merchant, signedFor } from '../../payments/shop.ts';
import type { Row } from '../row.ts';

const count = 1000;
const rounds = 2;

/** What one account settles, without anything around it: the best of some rounds. */
export async function settlementRow(): Promise<Row> {
  const chain = await Chain.start();
  const asset = { address: usdc, decimals: 6, symbol: 'USDC', name: 'USDC', version: '2' };
  const where = { network: `eip155:${chainId}`, asset, payTo: merchant.address };
  const requirements = requirementsFor('100', where, 300_000);
  const settler = new LocalSettler(chainClient(chain.url), { chainId, gasKeys: [keys.gas] });
  const rates: number[] = [];
  let settled = 0;
  for (let round = 0; round < rounds; round += 1) {
    const payments = [];
    for (let made = 0; made < count; made += 1) {
      const read = readPayload(await signedFor({ ...requirements }), [requirements], {});
      if (typeof read === 'string') throw new Error(read);
      const { authorization } = read;
      payments.push({ authorization, requirements, confirmations: 0, claimedAt: Date.now() });
    }
    const began = performance.now();
    const results = await Promise.all(payments.map((payment) => settler.settle(payment)));
    rates.push(count / ((performance.now() - began) / 1000));
    settled += results.filter(({ kind }) => kind === 'settled').length;
  }
  await chain.stop();
  const best = Math.max(...rates);
  return {
    what: 'settlements per second on a local chain, one account',
    target: 'at least 200',
    measured: best.toFixed(0),
    met: best >= 200 && settled === count * rounds,
    detail: `${settled} of ${count * rounds} settled; rounds ${rates.map(Math.round).join(', ')}`,
  };
}
