import type { Place } from './place.ts';

/** So many of a kind in a time, counted in parts of it. */
export interface Quota {
  readonly kind: string;
  readonly most: number;
  readonly perMs: number;
}

const parts = 12;

/** How often somebody has done something lately. */
export function createQuotaRecords({ store, tenant, now }: Place) {
  return {
    /**
     * Count one more under each key, unless one of them is used up: then count none of them. Gives
     * the milliseconds after which there is room again, 0 where there was. The window slides by a
     * twelfth of its length.
     */
    async take(wanted: readonly (readonly [Quota, key: string])[]): Promise<number> {
      const at = now();
      return store.transaction(async (tx) => {
        for (const [{ kind, most, perMs }, key] of wanted) {
          const rows = await tx
            .selectFrom('identity_quota')
            .select(['window_start', 'count'])
            .where((where) => where.and({ tenant, kind, key }))
            .where('window_start', '>', at - perMs)
            .orderBy('window_start')
            .execute();
          const used = rows.reduce((sum, { count }) => sum + Number(count), 0);
          const [oldest] = rows;
          if (used >= most) return Math.max(1000, (oldest?.window_start ?? at) + perMs - at);
        }
        for (const [{ kind, perMs }, key] of wanted) {
          const step = Math.ceil(perMs / parts);
          const start = Math.floor(at / step) * step;
          const row = { tenant, kind, key, window_start: start };
          await tx
            .insertInto('identity_quota')
            .values({ ...row, count: 1, expires_at: start + perMs + step })
            .onConflict((conflict) =>
              conflict
                .columns(['tenant', 'kind', 'key', 'window_start'])
                .doUpdateSet(({ eb }) => ({ count: eb('identity_quota.count', '+', 1) })),
            )
            .execute();
        }
        return 0;
      });
    },
  };
}

export type QuotaRecords = ReturnType<typeof createQuotaRecords>;
