import { ServiceError } from '#contract/errors';
import {
  mostAddressClaimsPerDay,
  mostServiceAuthPerHour,
  mostWrongCodesPerHour,
} from '../numbers.ts';
import type { Quota, QuotaRecords } from '../records/quotas.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';

const hourMs = 3_600_000;
const ofNetwork: Quota = {
  kind: 'service_auth.network',
  most: mostServiceAuthPerHour,
  perMs: hourMs,
};
const ofAddress: Quota = {
  kind: 'claim.address',
  most: mostAddressClaimsPerDay,
  perMs: 24 * hourMs,
};
const wrongCodes: Quota = {
  kind: 'wrong_code.network',
  most: mostWrongCodesPerHour,
  perMs: hourMs,
};

export type ClaimLimits = ReturnType<typeof createClaimLimits>;

/** How often somebody may bother a person, or guess codes. Nothing goes on while it cannot be counted. */
export function createClaimLimits(quotas: QuotaRecords, key: () => Buffer) {
  const address = (hint: string) => keyedHash(key(), 'address', hint).slice(0, 22);
  async function take(wanted: Parameters<QuotaRecords['take']>[0], what: string): Promise<void> {
    const waitMs = await quotas.take(wanted).catch((cause: unknown) => {
      const message = 'claims cannot be counted now';
      throw new ServiceError('temporarily_unavailable', 503, message, {
        retryAfterMs: 5000,
        cause,
      });
    });
    if (waitMs === 0) return;
    const message = `${what}; come again in ${Math.ceil(waitMs / 1000)} seconds`;
    throw new ServiceError('rate_limited', 429, message, { retryAfterMs: waitMs });
  }
  return {
    /** @throws ServiceError 429, 503 */
    async register(network: string, hint: string): Promise<void> {
      const wanted = [
        [ofNetwork, network],
        [ofAddress, address(hint)],
      ] as const;
      await take(wanted, 'too many registrations for a person');
    },
    /** A registration turns to another address. @throws ServiceError 429, 503 */
    async turnTo(hint: string): Promise<void> {
      await take([[ofAddress, address(hint)]], 'too many claims for this address');
    },
    /** A code was wrong. @throws ServiceError 429, 503 */
    async wrongCode(network: string): Promise<void> {
      await take([[wrongCodes, network]], 'too many wrong codes');
    },
  };
}
