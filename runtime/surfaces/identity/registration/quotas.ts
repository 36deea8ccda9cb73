import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { addressKey } from '#contract/surface/address-key';
import type { Quota, QuotaRecords } from '../records/quotas.ts';
import { refusedRegistration } from './register.ts';

const hourMs = 3_600_000;

/** How many may register in an hour: from one network, and in all. */
export interface RegistrationQuotas {
  readonly perNetwork: number;
  readonly inAll: number;
}

/** From where a call comes, as one who may have many addresses counts. */
export function networkOf({ http }: CallContext): string {
  return http?.address === undefined ? 'local' : addressKey(http.address);
}

/**
 * Make what counts registrations of one kind. Nobody registers while it cannot be counted.
 *
 * @returns what throws ServiceError 429 where there are too many, 503 where they cannot be counted
 */
export function registrationQuota(
  records: QuotaRecords,
  kind: string,
  { perNetwork, inAll }: RegistrationQuotas,
): (network: string) => Promise<void> {
  const ofNetwork: Quota = { kind: `${kind}.network`, most: perNetwork, perMs: hourMs };
  const ofAll: Quota = { kind, most: inAll, perMs: hourMs };
  return async (network) => {
    const waitMs = await records
      .take([
        [ofNetwork, network],
        [ofAll, ''],
      ])
      .catch((cause: unknown) => {
        const message = 'registrations cannot be counted now, so nobody can register';
        const more = { retryAfterMs: 5000, cause };
        throw new ServiceError('temporarily_unavailable', 503, message, more);
      });
    if (waitMs > 0) throw tooMany(waitMs, perNetwork);
  };
}

function tooMany(retryAfterMs: number, perNetwork: number): ServiceError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `too many registrations within an hour; come again in ${seconds} seconds`;
  const headers = {
    'ratelimit-policy': `"registrations";q=${perNetwork};w=${hourMs / 1000}`,
    ratelimit: `"registrations";r=0;t=${seconds}`,
  };
  const { code, status } = refusedRegistration('rate_limited', 429, message);
  return new ServiceError(code, status, message, { retryAfterMs, headers });
}
