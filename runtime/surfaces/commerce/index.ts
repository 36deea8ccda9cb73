import type { Caller } from '#contract/caller';
import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import { bindRoutesLater, bindTools } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import type { CommerceConfig } from '../../../generated/surfaces/commerce/config.ts';
import { createCommerceEvents } from '../../../generated/surfaces/commerce/events.ts';
import { commerceJobs } from '../../../generated/surfaces/commerce/jobs.ts';
import {
  type CommerceHandlers,
  commerceRoutes,
} from '../../../generated/surfaces/commerce/routes.ts';
import type { CommerceTables, PaymentRow } from '../../../generated/surfaces/commerce/tables.ts';
import { commerceTools } from '../../../generated/surfaces/commerce/tools.ts';
import { createSpendings } from './budgets/spending.ts';
import { createCardEvents } from './card/card-events.ts';
import { cardSettings } from './card/card-settings.ts';
import { createHear } from './card/hear.ts';
import { createIsLeft } from './checkout/left.ts';
import { createSessions } from './checkout/sessions.ts';
import type { Sell } from './engine/counter.ts';
import { createIsLost } from './engine/is-lost.ts';
import { paymentStep } from './engine/payment-step.ts';
import type { Sales } from './engine/reconcile.ts';
import type { Treasury } from './engine/treasury.ts';
import { createPaymentLists } from './ledger/payment-lists.ts';
import { createShownMandates } from './mandates/shown-mandates.ts';
import { meterSettings } from './meters/meter-settings.ts';
import { createMeteredUses } from './meters/metered-uses.ts';
import { waitingUses } from './meters/waiting-uses.ts';
import { chainSettings, gasKeysOf, isKey } from './offers/settings.ts';
import { unitsOf } from './offers/unit.ts';
import type { OperatorParts } from './operator/operator-parts.ts';
import { createPaymentMetrics, waitingPayments } from './records/payment-metrics.ts';
import { createPaymentRecords } from './records/payment-records.ts';
import { takeUse as bought } from './records/uses.ts';
import type { Shopfront } from './shopfront/load-shopfront.ts';
import { createNotary } from './x402/notary.ts';

type Needs =
  | 'address'
  | 'audit'
  | 'confirm'
  | 'jobs'
  | 'keys'
  | 'log'
  | 'metrics'
  | 'now'
  | 'outbound'
  | 'prices'
  | 'providers'
  | 'scopes'
  | 'signer'
  | 'store'
  | 'tenants'
  | 'tools'
  | 'version';

/** What things cost, and how agents pay for them; nearly all of it is loaded on first use. */
export const surface: SurfaceModule<CommerceConfig, Needs> = {
  async create(house: Pick<House, Needs>, config) {
    const meters = meterSettings(config, house.prices.spending);
    const accepted = {
      chain: chainSettings(config, await settlingAccount(config)),
      card: cardSettings(config, meters !== undefined),
    };
    const { chain } = accepted;
    if (config.refundKey !== undefined) {
      const { requireRefundKey } = await import('./evm/refund-key.ts');
      requireRefundKey(config.refundKey, config.payTo);
    }
    if (config.facilitates) {
      const { requireGas } = await import('./facilitator/load-facilitator.ts');
      requireGas(config);
    }
    const { now, keys } = house;
    const notary = config.signsOffers ? { notary: createNotary(house) } : {};
    let key: Uint8Array | undefined;
    const challengeKey = () => {
      key ??= keys('payment challenge');
      return key;
    };
    const cashier = { challengeKey, now, ...notary };
    const previews = {
      ...{ acp: config.sellsByAcp, ucp: config.sellsByUcp },
      ap2: config.mandateIssuers.length > 0,
    };
    const sells = previews.acp || previews.ucp;
    const { onMove, onChallenge } = createPaymentMetrics(house.metrics, unitsOf(chain));
    const store = storeWith<CommerceTables>(house.store);
    const sessions = createSessions(store, now);
    const mandates = createShownMandates(store, now);
    const records = createPaymentRecords(store, now, (row, transfer) => {
      onMove(row, transfer);
      if (sells && isSale(row)) void tellOfOrder(row);
    });
    const spendings = createSpendings(store);
    const isLost = createIsLost(house);
    const isLeft = createIsLeft(isLost, now);
    const meteredUses = createMeteredUses(store, house.jobs, now);
    const events = createCommerceEvents(house.audit);
    const cardEvents = createCardEvents(store, house.jobs);
    const { card } = accepted;
    const handlers = once(async (): Promise<CommerceHandlers> => {
      const { createCommerceHandlers } = await import('./handlers.ts');
      const hear = createHear({ card, cardEvents, events, house });
      const front = await shopfront();
      return createCommerceHandlers(house, accepted, hear, facilitator, front, previews);
    });
    const node = once(async () => {
      const { loadNode } = await import('./evm/load-node.ts');
      return loadNode(config, chain);
    });
    const facilitator = once(async () => {
      const { loadFacilitator } = await import('./facilitator/load-facilitator.ts');
      return loadFacilitator({ config, chain, store, events, now, node });
    });
    const treasury = once(async (): Promise<Treasury> => {
      const { loadTreasury } = await import('./engine/treasury.ts');
      const parts = { config, accepted, cashier, records, spendings, events, cardEvents, isLost };
      return loadTreasury({ ...parts, ...(sells && { sales }), node, house });
    });
    const counter = once(async (): Promise<Sell> => {
      const { createCounter } = await import('./engine/counter.ts');
      const takeUse = sells
        ? ({ tenant, subject }: Caller, tool: string) => bought(store, { tenant, subject, tool })
        : undefined;
      const parts = { accepted, cashier, spendings, house, loadTill, takeUse, onChallenge };
      return createCounter({ ...parts, meteredUses: meters && meteredUses });
    });
    const report = once(async () => {
      if (meters === undefined) throw new Error('nobody bills the plans of this server any more');
      const { createMeterReporter } = await import('./meters/meter-reporter.ts');
      return createMeterReporter(meters);
    });
    const loadTill = async () => (await treasury()).take;
    const shopfront = once(async (): Promise<Shopfront> => {
      const { loadShopfront } = await import('./shopfront/load-shopfront.ts');
      return loadShopfront({
        config,
        accepted,
        sessions,
        mandates,
        events,
        treasury,
        isLeft,
        house,
      });
    });
    const tellOfOrder = async (row: PaymentRow) => {
      const { orderEvents } = await shopfront();
      await orderEvents.moved(row).catch((err: unknown) => {
        house.log.error({ err, payment: row.id }, 'what became of an order could not be told');
      });
    };
    const sales: Sales = {
      isSale,
      isLeft: ({ changed_at: changedAt }) => isLeft(changedAt),
      async finish(row) {
        const [{ finishSale }, { orderEvents }] = await Promise.all([
          import('./checkout/finish-sale.ts'),
          shopfront(),
        ]);
        return finishSale({ sessions, orderEvents, records, events }, row);
      },
    };
    const operator = once(async (): Promise<OperatorParts> => {
      const { loadOperator } = await import('./operator/load-operator.ts');
      return loadOperator({ config, accepted, records, events, treasury, house });
    });
    return {
      commands: {
        async payments(words, options) {
          const { paymentsCommand } = await import('./operator/payments-command.ts');
          return paymentsCommand(house, operator)(words, options);
        },
      },
      async start() {
        const { requireRails } = await import('./evm/at-start.ts');
        for (const setting of await requireRails(config, chain, house.outbound)) {
          house.log.warn(
            { setting },
            'what moves payments does not answer; it is asked again later',
          );
        }
      },
      routes: bindRoutesLater(commerceRoutes, handlers).filter(({ route }) => {
        if (route.path.startsWith('/acp/')) return previews.acp;
        if (route.path.startsWith('/ucp/')) return previews.ucp;
        if (route.path.startsWith('/checkout/')) return sells;
        return config.facilitates || !route.path.startsWith('/facilitator/');
      }),
      tools: bindTools(commerceTools, {
        async paymentsQuote({ operation }, context) {
          const { quoteFor } = await import('./tools/quote.ts');
          return quoteFor({ accepted, spendings, house }, operation, context);
        },
        async paymentsReceipts(args, context) {
          const { receiptsFor } = await import('./tools/receipts.ts');
          const lists = createPaymentLists(store);
          return receiptsFor({ lists, openLog: () => house.audit.open() }, args, context);
        },
      }),
      jobs: bindJobs(commerceJobs, {
        async paymentsReconcile(run) {
          // What the processor has to tell can be about what ended long ago.
          const isWork = card !== undefined || (chain.isPayable && (await records.isAnyOpen()));
          await Promise.all([
            isWork ? treasury().then(({ reconcile }) => reconcile(run)) : undefined,
            config.facilitates
              ? facilitator().then(({ reconcile }) => reconcile(run.signal))
              : undefined,
          ]);
        },
        checkoutOrderEvent: async (run) => (await shopfront()).orderEvents.send(run),
        async checkoutExpiry() {
          await sessions.forget();
          await mandates.forget();
          await meteredUses.forget();
        },
        async paymentsMeteredUse(run) {
          const { reportUse } = await import('./meters/report-use.ts');
          await reportUse({ uses: meteredUses, report: await report(), events, now }, run);
        },
        paymentsCardEvent: async (run) => (await treasury()).follow(run),
        paymentsRefund: async (run) => (await treasury()).giveBack(run),
      }),
      metrics: [waitingPayments(records), ...(meters ? [waitingUses(meteredUses)] : [])],
      admission: { payment: paymentStep(accepted, counter) },
    };
  },
};

/** The account that what is metered is settled by: its payer names it. */
async function settlingAccount(config: CommerceConfig): Promise<string | undefined> {
  const [key] = gasKeysOf(config);
  if (key === undefined || !isKey(key)) return undefined;
  const { privateKeyToAccount } = await import('viem/accounts');
  return privateKeyToAccount(key).address;
}

/** Whether a payment is one of a checkout session. */
function isSale({ operation }: Pick<PaymentRow, 'operation'>): boolean {
  return operation.endsWith('/{id}/complete');
}

/** Load something with the first who needs it. */
function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
