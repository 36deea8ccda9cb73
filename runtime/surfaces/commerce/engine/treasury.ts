import type { House } from '#contract/house/house';
import type { JobRun } from '#contract/house/jobs';
import { isObject } from '#contract/json';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { PaymentRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { Spendings } from '../budgets/spending.ts';
import type { CardEvents } from '../card/card-events.ts';
import type { ChainNode } from '../evm/load-node.ts';
import type { Accepted } from '../offers/accepted.ts';
import { gasKeysOf } from '../offers/settings.ts';
import type { Cashier } from '../offers/terms.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import type { IsLost } from './is-lost.ts';
import type { Sales } from './reconcile.ts';
import type { TakePayment } from './take-payment.ts';

/** Everything that moves money. */
export interface Treasury {
  readonly take: TakePayment;
  reconcile(run: Pick<JobRun, 'signal'>): Promise<void>;
  /** Find out at once what became of a payment that its process has left behind. */
  revisit(row: PaymentRow): Promise<void>;
  giveBack(run: JobRun): Promise<void>;
  /** Look after a charge of which the processor has told something. */
  follow(run: JobRun): Promise<void>;
}

export interface TreasuryParts {
  readonly config: CommerceConfig;
  readonly accepted: Accepted;
  readonly cashier: Cashier;
  readonly records: PaymentRecords;
  readonly cardEvents: CardEvents;
  readonly spendings: Spendings;
  readonly events: CommerceEvents;
  readonly isLost: IsLost;
  /** Absent where nothing is sold in checkout sessions. */
  readonly sales?: Sales;
  readonly house: Pick<House, 'jobs' | 'log' | 'outbound' | 'now'>;
  /** What speaks with the chain; nothing where no node of it is known. */
  readonly node: () => Promise<ChainNode | undefined>;
}

/** Load what speaks with chains, which a server that nobody pays never needs. */
export async function loadTreasury(parts: TreasuryParts): Promise<Treasury> {
  const { config, accepted, records, spendings, events, isLost, sales, house } = parts;
  const { chain } = accepted;
  const { jobs, now } = house;
  const node = await parts.node();
  const watch = node?.watch;
  const [{ createTakePayment }, { createMover }, reconciling, { moneyOf }] = await Promise.all([
    import('./take-payment.ts'),
    import('./mover.ts'),
    import('./reconcile.ts'),
    import('./look.ts'),
  ]);
  const { reconcile, revisit, demandRefund, settle } = reconciling;
  const [{ giveBack }, card] = await Promise.all([import('./refund.ts'), loadCardParts(parts)]);
  const processor = card?.processor;
  const settler = await loadSettler(parts, node);
  const look = (row: PaymentRow) => moneyOf(row, watch, processor);
  const open = {
    ...{ records, spendings, events, jobs, look, isLost, now },
    ...(sales && { sales }),
  };
  const key = config.refundKey ?? (await ownKey(config));
  const refund = async (row: PaymentRow) => {
    await demandRefund({ jobs }, row);
    jobs.wake();
  };
  return {
    take: createTakePayment({
      ...{ ...parts, ...accepted, refund },
      mover: createMover({ settler, processor }),
    }),
    async reconcile({ signal }) {
      await reconcile(open, signal);
      await card?.catchUp(signal);
    },
    revisit: (row) => revisit(open, row),
    async follow({ payload }) {
      const intent = isObject(payload) ? payload['intent'] : undefined;
      const settleOne = (row: PaymentRow) => settle(open, row);
      if (typeof intent === 'string') await card?.follow(intent, { refund, settle: settleOne });
    },
    async giveBack(run) {
      const row = await records.find(run.tenant, run.key);
      if (row?.rail === 'card') await card?.giveBack(row);
      else if (settler) await giveBack({ chain, settler, records, events, key, now }, run);
    },
  };
}

async function loadCardParts({ accepted, house, ...parts }: TreasuryParts) {
  if (accepted.card === undefined) return undefined;
  const { loadCard } = await import('../card/load-card.ts');
  return loadCard({ settings: accepted.card, house, ...parts });
}

async function loadSettler({ config, house }: TreasuryParts, node: ChainNode | undefined) {
  const { facilitatorUrl } = config;
  if (facilitatorUrl === undefined) return node?.settler;
  const { RemoteSettler } = await import('../evm/remote-settler.ts');
  return new RemoteSettler(facilitatorUrl, house.outbound, node?.watch);
}

/** The account that pays the gas may be the one that is paid. */
async function ownKey(config: CommerceConfig): Promise<string | undefined> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const payTo = config.payTo?.toLowerCase();
  return gasKeysOf(config).find((key) => privateKeyToAccount(key).address.toLowerCase() === payTo);
}
