import { Chain } from '../../payments/chain.ts';
import { merchant, type Shop, signedFor, unwrapped, wrapped } from '../../payments/shop.ts';
import { legacy } from '../../runtime/mcp/rpc.ts';
import type { Row } from '../row.ts';
import { referenceLosses } from './reference-stack.ts';

const crowd = 1000;

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly accepts?: readonly Readonly<Record<string, unknown>>[] };
  readonly _meta?: Readonly<Record<string, { readonly transaction?: string }>>;
}

async function call({ url }: Shop, payment?: string): Promise<Result> {
  const _meta = payment && { 'x402/payment': payment };
  const params = { name: 'service_status', arguments: {}, ...(_meta && { _meta }) };
  const { body } = await legacy(url, { method: 'tools/call', params });
  return body.result as unknown as Result;
}

async function terms(shop: Shop) {
  const accepted = (await call(shop)).structuredContent?.accepts?.[0];
  if (accepted === undefined) throw new Error('the tool has no price');
  return accepted;
}

function transactionOf({ _meta }: Result): string | undefined {
  return _meta?.['x402/payment-response']?.transaction;
}

/** The same payment, with its name, a thousand times at once. */
export async function copiesRow(shop: Shop): Promise<Row> {
  const payment = unwrapped(await signedFor(await terms(shop)));
  const named = { 'payment-identifier': { info: { required: false, id: 'bench_0123456789' } } };
  const shown = wrapped({ ...payment, extensions: named });
  const before = await shop.chain.balanceOf(merchant.address);
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: crowd }, () => call(shop, shown)));
  const seconds = (performance.now() - began) / 1000;
  const moved = (await shop.chain.balanceOf(merchant.address)) - before;
  const answered = answers.filter(({ isError }) => !isError);
  const texts = new Set(answered.map(({ structuredContent }) => JSON.stringify(structuredContent)));
  const transactions = new Set(answered.map(transactionOf));
  const isOnce = texts.size === 1 && transactions.size === 1 && moved === 100n;
  return {
    what: '1,000 copies of one payment in parallel',
    target: '1 execution, 1 settlement, 999 answers from the record',
    measured: `${texts.size}, ${transactions.size}, ${answered.length - 1}`,
    met: isOnce && answered.length === crowd,
    detail: `over MCP, in ${seconds.toFixed(1)} s; ${moved} units moved for a price of 100`,
  };
}

/** A thousand payments at once, and the same on the reference stack beside it. */
export async function distinctRows(shop: Shop): Promise<Row[]> {
  const accepted = await terms(shop);
  const shown: string[] = [];
  for (let made = 0; made < crowd; made += 1) shown.push(await signedFor(accepted));
  const before = await shop.chain.balanceOf(merchant.address);
  const began = performance.now();
  const answers = await Promise.all(shown.map((payment) => call(shop, payment)));
  const seconds = (performance.now() - began) / 1000;
  const moved = (await shop.chain.balanceOf(merchant.address)) - before;
  const paid = answers.filter(({ isError }) => !isError).length;
  const chain = await Chain.start();
  const lost = await referenceLosses(chain, accepted, crowd).finally(() => chain.stop());
  return [
    {
      what: '1,000 distinct payments in parallel, one gas account',
      target: '1,000 settled',
      measured: `${moved / 100n}`,
      met: moved === BigInt(crowd) * 100n && paid === crowd,
      detail: `${paid} answered over MCP in ${seconds.toFixed(1)} s (${Math.round(paid / seconds)}/s); the reference stack, verify and settle of each, lost ${lost} of ${crowd}`,
    },
  ];
}
