import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

/** A subject of an issuer. */
export interface Subject {
  readonly issuer: string;
  /** Empty where the issuer has none. */
  readonly issuerTenant: string;
  readonly subject: string;
}

type Database = Pick<Transaction<IdentityTables>, 'selectFrom' | 'insertInto' | 'deleteFrom'>;

/** Which person stands behind the subject of an issuer. */
export function createDelegationRecords({ store, tenant, now }: Place) {
  const keyOf = ({ issuer, issuerTenant, subject }: Subject) => ({
    ...{ tenant, issuer, subject },
    issuer_tenant: issuerTenant,
  });
  return {
    /** The id of the person; nothing where nobody has agreed to it yet. */
    async find(subject: Subject, db: Database = store.db): Promise<string | undefined> {
      const row = await db
        .selectFrom('identity_delegation')
        .select('user')
        .where((where) => where.and(keyOf(subject)))
        .executeTakeFirst();
      return row?.user;
    },
    /** Note that a subject is this person. */
    async note(subject: Subject, user: string, db: Database = store.db): Promise<void> {
      const at = now();
      await db
        .insertInto('identity_delegation')
        .values({ ...keyOf(subject), user, first_seen: at, last_seen: at })
        .onConflict((known) =>
          known
            .columns(['tenant', 'issuer', 'issuer_tenant', 'subject'])
            .doUpdateSet({ user, last_seen: at }),
        )
        .execute();
    },
    /** Whether somebody of this issuer acts for a person already. */
    async knows(user: string, issuer: string): Promise<boolean> {
      const row = await store.db
        .selectFrom('identity_delegation')
        .select('subject')
        .where((where) => where.and({ tenant, user, issuer }))
        .executeTakeFirst();
      return row !== undefined;
    },
    /** The subjects of an issuer behind whom the person with this address stands. */
    async subjectsAt(email: string, issuer: string): Promise<readonly Subject[]> {
      const rows = await store.db
        .selectFrom('identity_delegation as known')
        .innerJoin('identity_user as person', (join) =>
          join
            .onRef('person.tenant', '=', 'known.tenant')
            .onRef('person.id', '=', 'known.user')
            .on('person.email', '=', email),
        )
        .select(['known.issuer_tenant', 'known.subject'])
        .where('known.tenant', '=', tenant)
        .where('known.issuer', '=', issuer)
        .execute();
      return rows.map(({ issuer_tenant: issuerTenant, subject }) => {
        return { issuer, issuerTenant, subject };
      });
    },
    async remove(subject: Subject): Promise<void> {
      await store.db
        .deleteFrom('identity_delegation')
        .where((where) => where.and(keyOf(subject)))
        .execute();
    },
    /** Whether somebody with this address is known here. */
    async knowsAddress(email: string, db: Database = store.db): Promise<boolean> {
      const row = await db
        .selectFrom('identity_user')
        .select('id')
        .where((where) => where.and({ tenant, email }))
        .executeTakeFirst();
      return row !== undefined;
    },
    /** The registrations of a subject that are not revoked. */
    async registrationsOf(
      { issuer, issuerTenant, subject }: Subject,
      db: Database = store.db,
    ): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('identity_registration')
        .select('id')
        .where((where) =>
          where.and({ tenant, issuer, issuer_tenant: issuerTenant, issuer_subject: subject }),
        )
        .where('revoked_at', 'is', null)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

export type DelegationRecords = ReturnType<typeof createDelegationRecords>;
