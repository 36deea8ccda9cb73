import type { AnyTransaction } from '#contract/house/store';
import type { Place } from './place.ts';

/** What lets somebody in without being looked up by a registration. */
const ended = [
  'identity_refresh_token',
  'identity_grant',
  'identity_code',
  'identity_authorization_request',
  'identity_session',
  'identity_sign_in',
  'identity_attempt',
  'identity_elevation',
] as const;

/** What has ended with a tenant. */
export interface EndedTenant {
  readonly registrations: number;
}

/**
 * End everything that a tenant has given so far, all of it or nothing: each token that was issued
 * before `notBefore`, each registration, consent and sign-in. `leave` does in the same transaction what
 * follows of it.
 */
export async function endTenant(
  { store, tenant, now }: Place,
  notBefore: number,
  leave: (ended: EndedTenant, tx: AnyTransaction) => Promise<void>,
): Promise<EndedTenant> {
  const at = now();
  return store.transaction(async (tx) => {
    const mark = { not_before: notBefore, created_at: at };
    await tx
      .insertInto('identity_watermark')
      .values({ tenant, kind: 'tenant', id: '', ...mark })
      .onConflict((known) => known.columns(['tenant', 'kind', 'id']).doUpdateSet(mark))
      .execute();
    const { numUpdatedRows } = await tx
      .updateTable('identity_registration')
      .set(({ eb }) => ({ revoked_at: at, not_before: notBefore, epoch: eb('epoch', '+', 1) }))
      .where((where) => where.and({ tenant }))
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    for (const table of ended) {
      await tx
        .deleteFrom(table)
        .where((where) => where.and({ tenant }))
        .execute();
    }
    const tenantEnd = { registrations: Number(numUpdatedRows) };
    await leave(tenantEnd, tx);
    return tenantEnd;
  });
}
