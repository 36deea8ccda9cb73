import type { AuditEvent } from '#contract/house/audit';
import type { Store } from '#contract/house/store';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import type { RegistryTransaction } from './records.ts';

/** Writes one entry to the audit log, with what became of the act. */
export type Unit = (outcome: AuditEvent['outcome']) => Promise<unknown>;

/**
 * Change the store and write it down as one: where the audit log takes nothing, nothing changes. The
 * entries are written last in the transaction; should it not be kept after all, others say so.
 */
export async function inOneUnit<Result>(
  store: Store<ObservabilityTables>,
  work: (
    tx: RegistryTransaction,
  ) => Promise<{ readonly result: Result; readonly units: readonly Unit[] }>,
): Promise<Result> {
  const written: Unit[] = [];
  const takeBack = async () => {
    for (const unit of written.splice(0)) await unit('failed');
  };
  try {
    return await store.transaction(async (tx) => {
      // PostgreSQL has undone an attempt that was in conflict with another one.
      await takeBack();
      const { result, units } = await work(tx);
      for (const unit of units) {
        await unit('ok');
        written.push(unit);
      }
      return result;
    });
  } catch (error) {
    await takeBack();
    throw error;
  }
}
