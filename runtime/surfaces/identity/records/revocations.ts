import type { Transaction } from 'kysely';
import type {
  IdentityDeniedTokenRow,
  IdentityTables,
  IdentityWatermarkRow,
} from '../../../../generated/surfaces/identity/tables.ts';
import { clockSkewMs } from '../numbers.ts';
import { storableTime } from '../numeric-date.ts';
import type { Place } from './place.ts';
import { prepared } from './prepared.ts';

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

/** Watermarks lie some seconds ahead, by clocks that may be apart. */
const mostAheadMs = 60_000 + clockSkewMs;
const farthest = storableTime(Number.POSITIVE_INFINITY);

type Database = Pick<Transaction<IdentityTables>, 'insertInto'>;

/** What was revoked. */
export function createRevocationRecords({ store, tenant, now }: Place) {
  const news = prepared(
    () => store.db,
    ['since', 'now'],
    (at: Readonly<Record<'since' | 'now', number>>) =>
      store.db
        .selectFrom('identity_denied_token')
        .select([
          'jti as id',
          ({ eb }) => eb.lit(null).$castTo<Watermark['kind'] | null>().as('kind'),
        ])
        // One row whose number is too large to be read must not hide all the others.
        .select(({ eb }) =>
          eb
            .case()
            .when('expires_at', '>', farthest)
            .then(farthest)
            .else(eb.ref('expires_at'))
            .end()
            .as('at'),
        )
        .where('created_at', '>=', at.since)
        .where('expires_at', '>', at.now)
        .where((where) => where.and({ tenant }))
        .unionAll(
          store.db
            .selectFrom('identity_watermark')
            .select(['id', 'kind'])
            // No watermark lies further ahead than this of when it was written: a number that does is
            // damaged, and may be none that can be read.
            .select(({ eb }) =>
              eb
                .case()
                .when(eb.and([eb('not_before', '>', farthest), eb('created_at', '>', farthest)]))
                .then(farthest)
                .when(
                  eb.and([
                    eb('created_at', '<=', farthest),
                    eb('not_before', '>', eb('created_at', '+', mostAheadMs)),
                  ]),
                )
                .then(eb('created_at', '+', mostAheadMs))
                .else(eb.ref('not_before'))
                .end()
                .as('at'),
            )
            .where('created_at', '>=', at.since)
            .where((where) => where.and({ tenant })),
        ),
  );
  return {
    /** Everything that was written since then, but for tokens that are over. */
    async since(since: number): Promise<RevocationNews> {
      const rows = await news({ since, now: now() });
      const denied: DeniedToken[] = [];
      const watermarks: Watermark[] = [];
      for (const { kind, id, at } of rows) {
        if (kind === null) denied.push({ id, expiresAt: at });
        else watermarks.push({ kind, id, notBefore: at });
      }
      return { denied, watermarks };
    },
    /** `leave` does in the same transaction what follows, where it was not denied before. */
    async deny(
      { id, expiresAt }: DeniedToken,
      leave: (tx: Transaction<IdentityTables>) => Promise<void>,
    ): Promise<void> {
      const row: IdentityDeniedTokenRow = {
        ...{ tenant, jti: id },
        expires_at: storableTime(expiresAt),
        created_at: now(),
      };
      await store.transaction(async (tx) => {
        const denied = await tx
          .insertInto('identity_denied_token')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant', 'jti']).doNothing())
          .returning('jti')
          .executeTakeFirst();
        if (denied) await leave(tx);
      });
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
