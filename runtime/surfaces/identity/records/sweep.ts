import type { Place } from './place.ts';
import type { Watermark } from './revocations.ts';

/** Whose rows are worth nothing once they have expired. */
const expiring = [
  'identity_attempt',
  'identity_session',
  'identity_sign_in',
  'identity_refresh_token',
  'identity_code',
  'identity_denied_token',
  'identity_seen_id',
  'identity_elevation',
  'identity_quota',
  'identity_client',
  'identity_authorization_request',
] as const;

/** How long rows stay after their end, so that it can still be said that they have ended. */
const keptMs = 86_400_000;

/**
 * Forget of every tenant what has expired a day ago, and watermarks that concern no token any more: how
 * long those of a kind count says `watermarkMs`.
 */
export async function sweepExpired(
  { store, now }: Place,
  watermarkMs: Readonly<Record<Watermark['kind'], number>>,
): Promise<void> {
  for (const table of expiring) {
    await store.db
      .deleteFrom(table)
      .where('expires_at', '<', now() - keptMs)
      .execute();
  }
  for (const [kind, lifeMs] of Object.entries(watermarkMs)) {
    if (!Number.isFinite(lifeMs)) continue;
    await store.db
      .deleteFrom('identity_watermark')
      .where('kind', '=', kind as Watermark['kind'])
      .where('created_at', '<', now() - Math.max(keptMs, lifeMs))
      .execute();
  }
}
