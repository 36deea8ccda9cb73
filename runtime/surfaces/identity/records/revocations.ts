import type { Transaction } from 'kysely';
import type {
  IdentityDeniedTokenRow,
  IdentityTables,
  IdentityWatermarkRow,
} from '../../../../generated/surfaces/identity/tables.ts';
import { storableTime } from '../numeric-date.ts';
import type { Place } from './place.ts';

/** Whose tokens count again only from a time on. */
export interface Watermark {
  readonly kind: IdentityWatermarkRow['kind'];
  readonly id: string;
  /** Milliseconds since the epoch: tokens that were issued before it are worth nothing. */
  readonly notBefore: number;
}

/** A token that was revoked before its time. */
export interface DeniedToken {
  readonly id: string;
  readonly expiresAt: number;
}

export interface RevocationNews {
  readonly denied: readonly DeniedToken[];
  readonly watermarks: readonly Watermark[];
}

const farthest = storableTime(Number.POSITIVE_INFINITY);

type Database = Pick<Transaction<IdentityTables>, 'insertInto'>;

/** What was revoked. */
export function createRevocationRecords({ store, tenant, now }: Place) {
  return {
    /** Everything that was written since then and is not over: tokens since one time, watermarks since another. */
    async since(deniedSince: number, marksSince: number): Promise<RevocationNews> {
      const { db } = store;
      const denied = await db
        .selectFrom('identity_denied_token')
        .select('jti')
        // One row whose number is too large to be read must not hide all the others.
        .select(({ eb }) =>
          eb
            .case()
            .when('expires_at', '>', farthest)
            .then(farthest)
            .else(eb.ref('expires_at'))
            .end()
            .as('expires_at'),
        )
        .where('created_at', '>=', deniedSince)
        .where('expires_at', '>', now())
        .where((where) => where.and({ tenant }))
        .execute();
      const watermarks = await db
        .selectFrom('identity_watermark')
        .select(['kind', 'id', 'not_before'])
        .where('created_at', '>=', marksSince)
        .where((where) => where.and({ tenant }))
        .execute();
      return {
        denied: denied.map((row) => ({ id: row.jti, expiresAt: row.expires_at })),
        watermarks: watermarks.map(({ kind, id, not_before: notBefore }) => {
          return { kind, id, notBefore };
        }),
      };
    },
    async deny({ id, expiresAt }: DeniedToken, db: Database = store.db): Promise<void> {
      const row: IdentityDeniedTokenRow = {
        ...{ tenant, jti: id },
        expires_at: storableTime(expiresAt),
        created_at: now(),
      };
      await db
        .insertInto('identity_denied_token')
        .values(row)
        .onConflict((conflict) => conflict.columns(['tenant', 'jti']).doNothing())
        .execute();
    },
    /** A watermark only ever rises. */
    async raise({ kind, id, notBefore }: Watermark, db: Database = store.db): Promise<void> {
      const row: IdentityWatermarkRow = {
        ...{ tenant, kind, id },
        not_before: notBefore,
        created_at: now(),
      };
      await db
        .insertInto('identity_watermark')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'kind', 'id'])
            .doUpdateSet({ not_before: row.not_before, created_at: row.created_at })
            .where('identity_watermark.not_before', '<', row.not_before),
        )
        .execute();
    },
  };
}

export type RevocationRecords = ReturnType<typeof createRevocationRecords>;
