import type { Offer, Revision } from '../request/revision.ts';
import type { Era } from '../wire/classify.ts';
import { versions as handshakeVersions, revision20251125 } from './2025-11-25.ts';
import { versions as modernVersions, revision20260728 } from './2026-07-28.ts';

/** The oldest revision whose requests speak for themselves. */
export const firstModern = modernVersions[0];

/** The revisions that this server speaks, by the era of their requests. */
export function servedRevisions(parts: Omit<Offer, 'supported'>): {
  readonly revisions: Readonly<Record<Era, Revision>>;
  readonly offer: Offer;
} {
  const offer: Offer = { ...parts, supported: [...modernVersions, ...handshakeVersions] };
  return {
    revisions: { modern: revision20260728(offer), legacy: revision20251125(offer) },
    offer,
  };
}
