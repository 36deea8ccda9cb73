import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import { OutboundError } from '#contract/house/outbound';
import { isObject } from '#contract/json';
import { mostProfileBytes, profileMs } from '../numbers.ts';
import { checkoutCapability, mandateCapability, ucpVersion } from './version.ts';

/** Who asks in the name of a buyer, as its profile says (UCP 2026-08-25, negotiation). */
export interface Platform {
  /** Address of its profile. */
  readonly profile: string;
  /** Whether its payments come with mandates. */
  readonly hasMandates: boolean;
}

/** What both sides know of is nothing that could be done: a result of the negotiation, not an error. */
export class Incompatible extends Error {}

/**
 * Read the profile that a request names (header UCP-Agent).
 *
 * @throws ServiceError with the codes of the negotiation
 * @throws Incompatible where the platform knows no checkout
 */
export async function platformOf(
  header: string | undefined,
  { caller }: Pick<CallContext, 'caller'>,
  { outbound }: Pick<House, 'outbound'>,
): Promise<Platform> {
  const profile = addressIn(header);
  const rules = { maxBytes: mostProfileBytes, keepMs: profileMs, failureMs: profileMs.least };
  const { value } = await outbound
    .of(caller.tenant)
    .document(profile, rules)
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      if (error.fault === 'refused') throw refused('invalid_profile_url', 400, profile);
      if (error.fault === 'unusable') throw refused('profile_malformed', 422, profile);
      throw refused('profile_unreachable', 424, profile);
    });
  const { ucp } = value;
  const isRead = isObject(ucp) && isObject(ucp['services']) && isObject(ucp['payment_handlers']);
  if (!isRead || typeof ucp['version'] !== 'string') {
    throw refused('profile_malformed', 422, profile);
  }
  if (ucp['version'] !== ucpVersion) {
    const message = `this server speaks UCP ${ucpVersion}, and the profile says ${ucp['version'].slice(0, 40)}`;
    throw new ServiceError('version_unsupported', 422, message);
  }
  const capabilities = isObject(ucp['capabilities']) ? ucp['capabilities'] : {};
  if (!Object.hasOwn(capabilities, checkoutCapability)) throw new Incompatible();
  return { profile, hasMandates: Object.hasOwn(capabilities, mandateCapability) };
}

const named = /(?:^|[,;]\s*)profile="([^"\\]{1,2048})"/;

function addressIn(header: string | undefined): string {
  const [, address] = named.exec(header ?? '') ?? [];
  if (address !== undefined && URL.canParse(address)) return address;
  const message = 'UCP-Agent must name the profile of the platform: profile="https://..."';
  throw new ServiceError('invalid_profile_url', 400, message);
}

function refused(code: string, status: number, profile: string): ServiceError {
  const message = {
    invalid_profile_url: 'the address of the profile is none that this server goes to',
    profile_malformed: 'what is there is no profile of a platform',
    profile_unreachable: 'the profile could not be fetched',
  }[code];
  return new ServiceError(code, status, `${message}: ${profile.slice(0, 200)}`);
}
