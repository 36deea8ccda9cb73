import type { ClaimFacts } from '../pages/claim-pages.ts';
import type { Person } from '../people/person.ts';
import type { DelegationRecords } from '../records/delegations.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { Scopes } from '../scopes/catalogue.ts';

export interface DescribeParts {
  readonly registrations: Pick<RegistrationRecords, 'list'>;
  readonly delegations: Pick<DelegationRecords, 'knows'>;
  readonly issuerName: (issuer: string) => string | undefined;
  readonly scopes: Pick<Scopes, 'sentence'>;
  readonly now: () => number;
}

/** Gathers what a person is told before they agree. */
export type DescribeClaim = (registration: Registration, person: Person) => Promise<ClaimFacts>;

/** Make what gathers it: names that the agent gives are its own words, the provider's is ours. */
export function createDescribe(parts: DescribeParts): DescribeClaim {
  const { registrations, delegations, scopes, issuerName, now } = parts;
  return async (registration, person) => {
    const { clientName, softwareId, issuer, network, createdAt, postScopes } = registration;
    const [others, knowsIssuer] = await Promise.all([
      registrations.list({ user: person.id, limit: 1 }),
      issuer !== '' && delegations.knows(person.id, issuer),
    ]);
    return {
      email: person.email,
      agent: clientName,
      software: softwareId,
      provider:
        issuer === ''
          ? undefined
          : (issuerName(issuer) ?? 'a provider that is not trusted any more'),
      network: network === 'local' ? 'this machine' : network,
      age: ageText(now() - createdAt),
      scopes: postScopes.map((scope) => scopes.sentence(scope)),
      advisories: [
        ...(others.length === 0 ? (['first_time_account'] as const) : []),
        ...(issuer !== '' && !knowsIssuer ? (['first_time_provider'] as const) : []),
      ],
    };
  };
}

/** How long ago something was, in words. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute ago';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
}
