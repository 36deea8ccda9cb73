import type { Transaction } from 'kysely';
import type {
  IdentityCodeRow,
  IdentityGrantRow,
  IdentityTables,
} from '../../../../generated/surfaces/identity/tables.ts';
import type { Place } from './place.ts';

export type GrantRow = Omit<IdentityGrantRow, 'tenant'>;
export type CodeRow = Omit<IdentityCodeRow, 'tenant'>;

/** What a person has just allowed, and what of it is new. */
export interface Consent {
  readonly id: string;
  readonly client: string;
  readonly clientName: string;
  readonly user: string;
  readonly resource: string;
  readonly clientDigest: string;
  readonly allowed: readonly string[];
  /** What was asked for and not allowed. */
  readonly refused: readonly string[];
}

const usedStepMs = 600_000;

type Database = Pick<Transaction<IdentityTables>, 'selectFrom' | 'updateTable'>;

/** What says for whom a grant would be. */
type Standing = Pick<Consent, 'client' | 'user' | 'resource' | 'clientDigest'>;

/** What people allow clients, and the codes that carry it to them. */
export function createGrantRecords({ store, tenant, now }: Place) {
  const live = (tx: Transaction<IdentityTables>, consent: Standing) =>
    tx
      .selectFrom('identity_grant')
      .selectAll()
      .where((where) =>
        where.and({
          tenant,
          user: consent.user,
          client: consent.client,
          resource: consent.resource,
        }),
      )
      .where('client_digest', '=', consent.clientDigest)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();

  return {
    /** One that is not over. */
    async find(id: string, db: Database = store.db): Promise<GrantRow | undefined> {
      return db
        .selectFrom('identity_grant')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
    },
    /** What this person allows this client already, as long as the client is what it was. */
    async standing(consent: Standing): Promise<GrantRow | undefined> {
      return store.transaction((tx) => live(tx, consent));
    },
    /** Note what a person allows, with a code for it: what stood before is kept, but for what is refused now. */
    async consent(
      consent: Consent,
      codeOf: (grant: string) => CodeRow,
      tx: Transaction<IdentityTables>,
    ): Promise<string> {
      const known = await live(tx, consent);
      const before: readonly string[] = known ? JSON.parse(known.scopes) : [];
      const kept = before.filter((scope) => !consent.refused.includes(scope));
      const scopes = JSON.stringify([...new Set([...kept, ...consent.allowed])]);
      const id = known?.id ?? consent.id;
      if (known) {
        await tx
          .updateTable('identity_grant')
          .set({ scopes, client_name: consent.clientName })
          .where((where) => where.and({ tenant, id }))
          .execute();
      } else {
        const { client, user, resource, clientDigest } = consent;
        await tx
          .insertInto('identity_grant')
          .values({
            ...{ tenant, id, client, user, resource, scopes, client_digest: clientDigest },
            client_name: consent.clientName,
            ...{ created_at: now(), used_at: null, revoked_at: null, not_before: 0 },
          })
          .execute();
      }
      await tx
        .insertInto('identity_code')
        .values({ ...codeOf(id), tenant })
        .execute();
      return id;
    },
    async findCode(hash: string): Promise<CodeRow | undefined> {
      return store.db
        .selectFrom('identity_code')
        .selectAll()
        .where((where) => where.and({ tenant, hash }))
        .executeTakeFirst();
    },
    /** Use a code up; true for the one who was first. */
    async spendCode(hash: string): Promise<boolean> {
      const spent = await store.db
        .updateTable('identity_code')
        .set({ used_at: now() })
        .where((where) => where.and({ tenant, hash }))
        .where('used_at', 'is', null)
        .returning('hash')
        .executeTakeFirst();
      return spent !== undefined;
    },
    /** Note from when on its tokens count again. */
    async holdBack(id: string, notBefore: number, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_grant')
        .set({ not_before: notBefore })
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** End it: nothing of it is given again. */
    async revoke(id: string, db: Database = store.db): Promise<void> {
      await db
        .updateTable('identity_grant')
        .set({ revoked_at: now() })
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** The newest first; of one person, and only those that are not over, where `user` is given. */
    async list({ user, limit }: { readonly user?: string; readonly limit: number }) {
      return store.db
        .selectFrom('identity_grant')
        .selectAll()
        .where((where) => where.and({ tenant }))
        .$if(user !== undefined, (query) =>
          query.where('user', '=', user ?? '').where('revoked_at', 'is', null),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
    },
    /** Also where it is over. */
    async look(id: string): Promise<GrantRow | undefined> {
      return store.db
        .selectFrom('identity_grant')
        .selectAll()
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
    },
    /** Note that its client has got a token, in steps of ten minutes. */
    async use({ id, used_at: usedAt }: Pick<GrantRow, 'id' | 'used_at'>): Promise<void> {
      if (now() - (usedAt ?? 0) <= usedStepMs) return;
      await store.db
        .updateTable('identity_grant')
        .set({ used_at: now() })
        .where((where) => where.and({ tenant, id }))
        .execute();
    },
    /** Give a client more, and what it has to refresh with as well. */
    async widen(
      id: string,
      more: readonly string[],
      tx: Transaction<IdentityTables>,
    ): Promise<void> {
      const grant = await tx
        .selectFrom('identity_grant')
        .select('scopes')
        .where((where) => where.and({ tenant, id }))
        .executeTakeFirst();
      if (!grant) return;
      await tx
        .updateTable('identity_grant')
        .set({ scopes: withMore(grant.scopes, more) })
        .where((where) => where.and({ tenant, id }))
        .execute();
      const tokens = await tx
        .selectFrom('identity_refresh_token')
        .select(['hash', 'scopes'])
        .where((where) => where.and({ tenant, owner: id, kind: 'oauth' }))
        .where('spent_at', 'is', null)
        .execute();
      for (const { hash, scopes } of tokens) {
        await tx
          .updateTable('identity_refresh_token')
          .set({ scopes: withMore(scopes, more) })
          .where((where) => where.and({ tenant, hash }))
          .execute();
      }
    },
  };
}

function withMore(scopes: string, more: readonly string[]): string {
  return JSON.stringify([...new Set([...JSON.parse(scopes), ...more])]);
}

export type GrantRecords = ReturnType<typeof createGrantRecords>;
