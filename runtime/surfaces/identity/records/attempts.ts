import type { Transaction } from 'kysely';
import type {
  IdentityAttemptRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type AttemptRow = Omit<IdentityAttemptRow, 'tenant'>;
export type AttemptChange = Partial<Omit<AttemptRow, 'id' | 'registration'>>;

type Database = Pick<Transaction<IdentityTables>, 'selectFrom' | 'insertInto' | 'updateTable'>;

/** The tries to have registrations claimed. */
export function createAttemptRecords({ store, tenant, now }: Place) {
  return {
    async add(row: AttemptRow, db: Database = store.db): Promise<void> {
      await db
        .insertInto('identity_attempt')
        .values({ ...row, tenant })
        .execute();
    },
    async find(id: string, db: Database = store.db): Promise<AttemptRow | undefined> {
      return db
        .selectFrom('identity_attempt')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /** By the SHA-256 of the token in its link. */
    async findByToken(hash: string): Promise<AttemptRow | undefined> {
      return store.db
        .selectFrom('identity_attempt')
        .selectAll()
        .where((where) => where.and({ tenant, token_hash: hash }))
        .executeTakeFirst();
    },
    /** The one that no newer one has taken the place of, and how many there were. */
    async newestOf(registration: string, db: Database = store.db) {
      const rows = await db
        .selectFrom('identity_attempt')
        .selectAll()
        .where((where) => where.and({ tenant, registration }))
        .execute();
      return { newest: rows.find(({ state }) => state !== 'superseded'), minted: rows.length };
    },
    /** A newer attempt takes the place of all others. */
    async supersede(registration: string, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_attempt')
        .set({ state: 'superseded' })
        .where((where) => where.and({ tenant, registration }))
        .where('state', '!=', 'completed')
        .execute();
    },
    /** How many live attempts an address has, but for those of one registration. */
    async liveOf(hint: string, except: string, db: Database = store.db): Promise<number> {
      const { count } = await db
        .selectFrom('identity_attempt')
        .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
        .where((where) => where.and({ tenant, hint }))
        .where('state', 'in', ['initiated', 'opened', 'confirmed'])
        .where('registration', '!=', except)
        .where('expires_at', '>', now())
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async change(id: string, change: AttemptChange, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_attempt')
        .set(change)
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** Note that its agent has got what the claim has brought; true the first time. */
    async deliver(id: string, db: Database = store.db): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity_attempt')
        .set({ delivered_at: now() })
        .where((where) => where.and({ tenant, id }))
        .where('delivered_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

export type AttemptRecords = ReturnType<typeof createAttemptRecords>;
