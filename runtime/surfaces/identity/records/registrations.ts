import type { Transaction } from 'kysely';
import type {
  IdentityRegistrationRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import { gathered } from './gathered.ts';
import type { Place } from './place.ts';
import { prepared } from './prepared.ts';

/** An agent that has registered itself. Times in milliseconds since the epoch. */
export interface Registration {
  readonly id: string;
  readonly kind: IdentityRegistrationRow['kind'];
  /** The person who has claimed it. */
  readonly user: string | undefined;
  readonly clientName: string;
  readonly softwareId: string;
  readonly network: string;
  readonly createdAt: number;
  /** Until when it can be claimed; one that is claimed does not end by itself. */
  readonly expiresAt: number;
  readonly claimedAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly notBefore: number;
  readonly epoch: number;
  readonly preScopes: readonly string[];
  readonly postScopes: readonly string[];
  /** SHA-256 of the claim token. */
  readonly claimHash: string;
  readonly hint: string;
  readonly issuer: string;
  readonly issuerTenant: string;
  readonly issuerSubject: string;
  readonly audience: string;
  readonly jkt: string;
  readonly usedAt: number | undefined;
}

/** Who vouches for the person of a registration, whom, and for which of our addresses. */
export type Issued = Pick<Registration, 'issuer' | 'issuerTenant' | 'issuerSubject' | 'audience'>;

/** What a registration has for whose person nobody vouches. */
export const nobodyVouches: Issued = {
  issuer: '',
  issuerTenant: '',
  issuerSubject: '',
  audience: '',
};

export type RegistrationChange = Partial<
  Pick<
    Registration,
    | 'user'
    | 'claimedAt'
    | 'revokedAt'
    | 'notBefore'
    | 'epoch'
    | 'postScopes'
    | 'claimHash'
    | 'hint'
    | 'expiresAt'
    | keyof Issued
  >
>;

type Database = Pick<Transaction<IdentityTables>, 'selectFrom' | 'insertInto' | 'updateTable'>;

/** The agents that have registered themselves. */
export function createRegistrationRecords({ store, tenant, now }: Place) {
  const selected = (db: Database) =>
    db
      .selectFrom('identity_registration')
      .selectAll()
      .where((where) => where.and({ tenant }));
  const readsOf = new Map<number, ReturnType<typeof readOf>>();
  /** One for each number of ids. */
  const readOf = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => String(index));
    return prepared(
      () => store.db,
      names,
      (ids: Readonly<Record<string, string>>) =>
        selected(store.db).where('id', 'in', Object.values(ids)),
    );
  };
  const findTogether = gathered(async (ids) => {
    const read = readsOf.get(ids.length) ?? readOf(ids.length);
    readsOf.set(ids.length, read);
    const rows = await read(Object.fromEntries(ids.entries()));
    return new Map(rows.map((row) => [row.id, registrationOf(row)]));
  });
  const use = gathered<never>(async (ids) => {
    await store.db
      .updateTable('identity_registration')
      .set({ used_at: now() })
      .where((where) => where.and({ tenant }))
      .where('id', 'in', ids)
      .execute();
    return new Map<string, never>();
  });
  return {
    async add(registration: Registration, db: Database = store.db): Promise<void> {
      await db
        .insertInto('identity_registration')
        .values({ ...rowOf(registration), tenant })
        .execute();
    },
    async find(id: string, db: Database = store.db): Promise<Registration | undefined> {
      const row = await selected(db)
        .where((where) => where.and({ id }))
        .executeTakeFirst();
      return row && registrationOf(row);
    },
    /**
     * Find one whose id this server has vouched for, with those that others ask for meanwhile: an id
     * that the database cannot take would fail theirs too.
     */
    findTogether,
    /** Note that one is used, with those of others that are noted meanwhile. */
    use,
    /** By the SHA-256 of its claim token. */
    async findByClaim(hash: string, db: Database = store.db): Promise<Registration | undefined> {
      const row = await selected(db)
        .where((where) => where.and({ claim_hash: hash }))
        .executeTakeFirst();
      return row && registrationOf(row);
    },
    /** The newest first; of one person where `user` is given. */
    async list({ user, limit }: { readonly user?: string; readonly limit: number }) {
      const rows = await selected(store.db)
        .$if(user !== undefined, (query) => query.where('user', '=', user ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(registrationOf);
    },
    async change(id: string, change: RegistrationChange, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_registration')
        .set(columnsOf(change))
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** End the assertions of an epoch, once; those of a later one stay. Gives whether they were alive. */
    async withdraw(id: string, epoch: number, db: Database = store.db): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identity_registration')
        .set({ epoch: epoch + 1 })
        .where((where) => where.and({ tenant, id, epoch }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /**
     * Forget those whose time to be claimed was over before `before`; gives how many. `leave` does
     * in the same transaction what follows of it.
     */
    async removeUnclaimed(
      before: number,
      most: number,
      leave: (ids: readonly string[], tx: Transaction<IdentityTables>) => Promise<void>,
    ): Promise<number> {
      return store.transaction(async (tx) => {
        const rows = await selected(tx)
          .where('expires_at', '<', before)
          .where('claimed_at', 'is', null)
          .limit(most)
          .execute();
        const ids = rows.map(({ id }) => id);
        if (ids.length === 0) return 0;
        await tx
          .deleteFrom('identity_registration')
          .where((where) => where.and({ tenant }))
          .where('id', 'in', ids)
          .execute();
        await leave(ids, tx);
        return ids.length;
      });
    },
  };
}

export type RegistrationRecords = ReturnType<typeof createRegistrationRecords>;

function registrationOf(row: IdentityRegistrationRow): Registration {
  return {
    id: row.id,
    kind: row.kind,
    user: row.user ?? undefined,
    clientName: row.client_name,
    softwareId: row.software_id,
    network: row.network,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    claimedAt: row.claimed_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    notBefore: row.not_before,
    epoch: row.epoch,
    preScopes: JSON.parse(row.pre_scopes),
    postScopes: JSON.parse(row.post_scopes),
    claimHash: row.claim_hash,
    hint: row.hint,
    issuer: row.issuer,
    issuerTenant: row.issuer_tenant,
    issuerSubject: row.issuer_subject,
    audience: row.audience,
    jkt: row.jkt,
    usedAt: row.used_at ?? undefined,
  };
}

function rowOf(registration: Registration): Omit<IdentityRegistrationRow, 'tenant'> {
  const { id, kind, network, epoch, hint, issuer, audience, jkt } = registration;
  return {
    ...{ id, kind, network, epoch, hint, issuer, audience, jkt },
    user: registration.user ?? null,
    client_name: registration.clientName,
    software_id: registration.softwareId,
    created_at: registration.createdAt,
    expires_at: registration.expiresAt,
    claimed_at: registration.claimedAt ?? null,
    revoked_at: registration.revokedAt ?? null,
    not_before: registration.notBefore,
    pre_scopes: JSON.stringify(registration.preScopes),
    post_scopes: JSON.stringify(registration.postScopes),
    claim_hash: registration.claimHash,
    issuer_tenant: registration.issuerTenant,
    issuer_subject: registration.issuerSubject,
    used_at: registration.usedAt ?? null,
  };
}

function columnsOf(change: RegistrationChange): Partial<IdentityRegistrationRow> {
  const { user, claimedAt, revokedAt, notBefore, epoch, hint, expiresAt } = change;
  return {
    ...(user !== undefined && { user }),
    ...(claimedAt !== undefined && { claimed_at: claimedAt }),
    ...(revokedAt !== undefined && { revoked_at: revokedAt }),
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(epoch !== undefined && { epoch }),
    ...(change.postScopes && { post_scopes: JSON.stringify(change.postScopes) }),
    ...(change.claimHash !== undefined && { claim_hash: change.claimHash }),
    ...(hint !== undefined && { hint }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(change.issuer !== undefined && { issuer: change.issuer }),
    ...(change.issuerTenant !== undefined && { issuer_tenant: change.issuerTenant }),
    ...(change.issuerSubject !== undefined && { issuer_subject: change.issuerSubject }),
    ...(change.audience !== undefined && { audience: change.audience }),
  };
}
