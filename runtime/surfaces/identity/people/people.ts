import type { House } from '#contract/house/house';
import type { IdentityConfig } from '../../../../generated/surfaces/identity/config.ts';
import { Mail } from '../mail/mail.ts';
import { logMailer, smtpMailer } from '../mail/mailer.ts';
import type { Place } from '../records/place.ts';
import { createSessionRecords } from '../records/sessions.ts';
import { createSignInRecords } from '../records/sign-ins.ts';
import { createUserRecords, type UserRecords } from '../records/users.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { type ClaimAuth, chooseClaimAuth } from './claim-auth.ts';
import { OidcProvider } from './oidc-provider.ts';
import { Sessions } from './sessions.ts';
import { SignIns } from './sign-ins.ts';

/** What this room needs of the house. */
export type PeopleNeeds = 'address' | 'isProduction' | 'jobs' | 'log' | 'outbound';

/** The people who sign in with a browser. */
export interface People {
  readonly tenant: string;
  /** How they sign in; `none` where nobody can. */
  readonly claimAuth: () => ClaimAuth;
  readonly users: UserRecords;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly mail: Mail;
  /** Whether people are told by mail that an agent acts for them. */
  readonly tellsClaims: boolean;
}

interface PeopleParts {
  readonly place: Place;
  readonly sealer: Sealer;
  /** Of the addresses with which people may sign in; any when absent. */
  readonly emailDomains: readonly string[] | undefined;
}

/** @throws ConfigError where the settings do not fit together */
export function createPeople(
  house: Pick<House, PeopleNeeds>,
  config: IdentityConfig,
  { place, sealer, emailDomains }: PeopleParts,
): People {
  const { address, jobs, outbound } = house;
  const { tenant, now } = place;
  const claimAuth = chooseClaimAuth(config, house);
  const users = createUserRecords(place);
  const sessions = new Sessions({
    records: createSessionRecords(place),
    address,
    now,
  });
  const mail = new Mail({ jobs, sealer, tenant, mailer: mailerOf(house, config) });
  const tellsClaims = config.smtpUrl !== undefined;
  const records = createSignInRecords(place);
  const provider = providerOf(config, outbound);
  const parts = { records, users, sessions, sealer, mail, provider, address, emailDomains, now };
  return { tenant, claimAuth, users, sessions, signIns: new SignIns(parts), mail, tellsClaims };
}

function mailerOf(
  { address, log }: Pick<House, 'address' | 'log'>,
  { smtpUrl, mailFrom }: IdentityConfig,
) {
  if (smtpUrl === undefined) return logMailer(log);
  const host = () => URL.parse(address.of('/') ?? '')?.hostname ?? 'localhost';
  return smtpMailer({ url: smtpUrl, from: () => mailFrom ?? `no-reply@${host()}` });
}

function providerOf(
  { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret }: IdentityConfig,
  outbound: House['outbound'],
): OidcProvider | undefined {
  if (issuer === undefined || clientId === undefined) return undefined;
  return new OidcProvider({ issuer, clientId, clientSecret, outbound });
}
