import type { Store } from '#contract/house/store';
import type {
  ConnectionAttemptRow,
  ConnectionsTables,
} from '../../../../generated/surfaces/connections/tables.ts';
import { keptMs } from '../numbers.ts';

/** People who were sent to a vendor. */
export function createAttemptRecords(store: Store<ConnectionsTables>, now: () => number) {
  return {
    async insert(row: ConnectionAttemptRow): Promise<void> {
      await store.db.insertInto('connection_attempt').values(row).execute();
    },
    /** One that is open, left as it is. */
    async find(tenant: string, hash: string): Promise<ConnectionAttemptRow | undefined> {
      return store.db
        .selectFrom('connection_attempt')
        .selectAll()
        .where((where) => where.and({ tenant, hash }))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .executeTakeFirst();
    },
    /** Take it; of several who try, one gets it. */
    async take(tenant: string, hash: string): Promise<boolean> {
      const taken = await store.db
        .updateTable('connection_attempt')
        .set({ used_at: now() })
        .where((where) => where.and({ tenant, hash }))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .returning('hash')
        .executeTakeFirst();
      return taken !== undefined;
    },
    /** Forget those, of all tenants, that have ended long ago. */
    async sweep(): Promise<void> {
      await store.db
        .deleteFrom('connection_attempt')
        .where('expires_at', '<', now() - keptMs)
        .execute();
    },
  };
}

export type AttemptRecords = ReturnType<typeof createAttemptRecords>;
