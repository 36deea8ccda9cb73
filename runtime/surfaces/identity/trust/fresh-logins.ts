import type { Subject } from '../records/delegations.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { foreignSubject } from './foreign-subject.ts';

/** Whose logins at their provider do not count any more. */
export interface FreshLogins {
  /** From now on, logins count that are later than this; milliseconds since the epoch. */
  require(whom: Subject, after: number): Promise<void>;
  /** Whether a login counts. @throws ServiceError with status 503 where that cannot be read */
  counts(whom: Subject, authTime: number): Promise<boolean>;
}

/**
 * Follow after which time people have to sign in anew (CAEP, credential change). It is kept for as
 * long as tokens live, which is longer than a login counts.
 */
export function freshLogins(
  revocations: Pick<Revocations, 'raise' | 'follow' | 'isFresh' | 'mark'>,
): FreshLogins {
  return {
    require: (whom, after) =>
      revocations.raise({ kind: 'grant', id: nameOf(whom), notBefore: after + 1 }),
    async counts(whom, authTime) {
      if (!revocations.isFresh) await revocations.follow();
      return authTime >= revocations.mark('grant', nameOf(whom));
    },
  };
}

/** Beside the marks of what they were given: no issuer, which is an address, is called so. */
function nameOf(whom: Subject): string {
  return `login ${foreignSubject(whom)}`;
}
