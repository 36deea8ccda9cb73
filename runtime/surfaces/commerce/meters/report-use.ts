import type { JobRun } from '#contract/house/jobs';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { MeteredUseRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { knownUseMs, oldestUseMs } from '../numbers.ts';
import type { MeterReporter } from './meter-reporter.ts';
import type { MeteredUses } from './metered-uses.ts';

export interface ReportParts {
  readonly uses: Pick<MeteredUses, 'find' | 'change'>;
  readonly report: MeterReporter;
  readonly events: Pick<CommerceEvents, 'cardMeterReported' | 'cardMeterFailed'>;
  readonly now: () => number;
}

/**
 * Report one use, so that the processor counts it once. It is told again only while the processor
 * knows it by its name.
 *
 * @throws where it has to be tried again
 */
export async function reportUse(
  { uses, report, events, now }: ReportParts,
  { tenant, key }: Pick<JobRun, 'tenant' | 'key'>,
): Promise<void> {
  const row = await uses.find(tenant, key);
  if (row?.state !== 'due') return;
  const reason = reasonToStop(row, now());
  if (reason !== undefined) {
    await events.cardMeterFailed({ ...factsOf(row, reason), outcome: 'failed' });
    await uses.change(row, { state: 'unreported', fault: reason });
    return;
  }
  // Written down before it is sent: whoever takes over knows that it may have arrived.
  if (row.sent_at === 0) await uses.change(row, { sent_at: now() });
  const outcome = await report(row);
  switch (outcome.kind) {
    case 'reported':
      // Written twice where the process dies in between; a bill without an entry is worse.
      await events.cardMeterReported(factsOf(row));
      await uses.change(row, { state: 'reported', fault: '' });
      return;
    case 'refused': {
      const { fault } = outcome;
      await uses.change(row, { sent_at: 0, refusals: row.refusals + 1, fault });
      throw new Error(`the processor refuses the use ${row.id}: ${fault}`);
    }
    case 'unanswered':
      // What may have arrived with an earlier try may have done so still.
      if (!outcome.mayBeDone && row.sent_at === 0) await uses.change(row, { sent_at: 0 });
      throw outcome.error;
  }
}

/** Why nobody may tell the processor any more. */
function reasonToStop({ created_at, sent_at }: MeteredUseRow, now: number): string | undefined {
  if (sent_at > 0 && now - sent_at > knownUseMs) {
    return 'it may have been counted, and would be counted again';
  }
  return now - created_at > oldestUseMs ? 'it is too old' : undefined;
}

function factsOf(
  { tenant, subject, id, plan, event, customer, operation }: MeteredUseRow,
  error?: string,
) {
  const payload = { use_id: id, plan, meter: event, customer, resource: operation };
  const actor = { type: 'system', id: 'payments' } as const;
  return { tenant, actor, subject, payload: { ...payload, ...(error && { error }) } };
}
