import type { RefreshTokenRecords } from '../records/refresh-tokens.ts';
import type { Revocations } from './revocations.ts';

/** The refresh tokens that come from one another, and whose access tokens they bring. */
export interface Family {
  readonly family: string;
  readonly kind: 'agent' | 'oauth';
  /** The registration, or the grant. */
  readonly owner: string;
}

/** Ends a family with all access tokens that its owner has got so far. */
export type EndFamily = (family: Family) => Promise<void>;

/** Make what ends families of refresh tokens. */
export function familyEnd(parts: {
  readonly records: Pick<RefreshTokenRecords, 'removeFamily'>;
  readonly revocations: Pick<Revocations, 'raise'>;
  readonly now: () => number;
}): EndFamily {
  const { records, revocations, now } = parts;
  return async ({ family, kind, owner }) => {
    const mark = { kind: kind === 'agent' ? 'registration' : 'grant', id: owner } as const;
    // Whoever is killed here has left the family, by which the next try knows what to end.
    await revocations.raise({ ...mark, notBefore: now() });
    await records.removeFamily(family);
    // And what somebody got meanwhile.
    await revocations.raise({ ...mark, notBefore: now() });
  };
}
