import type { IdentitySessionRow } from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type SessionRow = Omit<IdentitySessionRow, 'tenant'>;

/** The browsers in which people have signed in. */
export function createSessionRecords({ store, tenant, now }: Place) {
  return {
    async insert(row: SessionRow): Promise<void> {
      await store.db
        .insertInto('identity_session')
        .values({ ...row, tenant })
        .execute();
    },
    /** One of these that is alive, with whoever has signed in there. */
    async find(hashes: readonly string[]) {
      if (hashes.length === 0) return undefined;
      return store.db
        .selectFrom('identity_session as session')
        .innerJoin('identity_user as user', (join) =>
          join.onRef('user.tenant', '=', 'session.tenant').onRef('user.id', '=', 'session.user'),
        )
        .select(['user.id', 'user.email', 'user.name', 'user.not_before'])
        .select(['session.hash', 'session.auth_time', 'session.amr', 'session.created_at'])
        .where('session.tenant', '=', tenant)
        .where('session.hash', 'in', hashes)
        .where('session.expires_at', '>', now())
        .executeTakeFirst();
    },
    async remove(hashes: readonly string[]): Promise<void> {
      if (hashes.length === 0) return;
      await store.db
        .deleteFrom('identity_session')
        .where('tenant', '=', tenant)
        .where('hash', 'in', hashes)
        .execute();
    },
  };
}

export type SessionRecords = ReturnType<typeof createSessionRecords>;
