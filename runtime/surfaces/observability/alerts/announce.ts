import type { Transaction } from 'kysely';
import type { EventDoor } from '#contract/bus/events';
import { createEvents } from '../../../../generated/events.ts';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import type { ActiveAlert, Advanced } from './active-alert.ts';
import { severityOf } from './alert-rule.ts';

/** Tells the bus, in the transaction that stores it, what has begun to fire and what has ended. */
export type AnnounceAlerts = (
  tx: Transaction<ObservabilityTables>,
  tenant: string,
  changes: Pick<Advanced, 'fired' | 'resolved'>,
) => Promise<void>;

export function announceAlerts(bus: EventDoor): AnnounceAlerts {
  const { observability } = createEvents(bus);
  return async (tx, tenant, { fired, resolved }) => {
    for (const each of fired) await observability.alertFiring.within(tx, factsOf(tenant, each));
    for (const each of resolved) {
      await observability.alertResolved.within(tx, factsOf(tenant, each));
    }
  };
}

function factsOf(tenant: string, each: ActiveAlert) {
  const { alert, source, labels, annotations, activeAt, evaluatedBy } = each;
  return {
    tenant,
    subject: alert,
    data: {
      ...{ alert, source, labels, severity: severityOf(labels) },
      summary: annotations['summary'] ?? alert,
      active_at: new Date(activeAt).toISOString(),
      evaluated_by: evaluatedBy,
    },
  };
}
