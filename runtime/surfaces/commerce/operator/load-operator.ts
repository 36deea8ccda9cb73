import type { House } from '#contract/house/house';
import { storeWith } from '#contract/house/store';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import { demandRefund } from '../engine/reconcile.ts';
import type { Treasury } from '../engine/treasury.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createPaymentLists } from '../ledger/payment-lists.ts';
import { type Accepted, isAnyPayable } from '../offers/accepted.ts';
import { unitsOf } from '../offers/unit.ts';
import type { PaymentRecords } from '../records/payment-records.ts';
import { diagnoseCards, withCards } from './card-evidence.ts';
import { chainEvidence } from './chain-evidence.ts';
import { diagnose } from './diagnose.ts';
import type { OperatorParts } from './operator-parts.ts';

interface LoadedFrom {
  readonly config: CommerceConfig;
  readonly accepted: Accepted;
  readonly records: PaymentRecords;
  readonly events: CommerceEvents;
  readonly treasury: () => Promise<Pick<Treasury, 'reconcile'>>;
  readonly house: Pick<House, 'jobs' | 'now' | 'outbound' | 'store'>;
}

/** Make what the operator works with at the terminal. */
export function loadOperator(from: LoadedFrom): OperatorParts {
  const { config, accepted, records, events, treasury, house } = from;
  const { chain, card } = accepted;
  const { jobs, now } = house;
  const store = storeWith<CommerceTables>(house.store);
  return {
    ...{ records, events, now },
    ...{ lists: createPaymentLists(store), ledger: createLedger(store), unitOf: unitsOf(chain) },
    ...withCards(chainEvidence(config, chain), card),
    async *diagnose() {
      yield* diagnoseCards(card);
      yield* diagnose({ config, chain, records, house });
    },
    async reconcile() {
      if (!isAnyPayable(accepted)) return;
      await (await treasury()).reconcile({ signal: new AbortController().signal });
    },
    async refund(row) {
      await demandRefund({ jobs }, row);
      jobs.wake();
    },
  };
}
