import type { SignedInPeople } from '#contract/surface/people';
import type { Addresses } from '../addresses.ts';
import { sessionMs } from '../numbers.ts';
import type { GrantRecords } from '../records/grants.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { Revocations } from '../tokens/revocations.ts';
import type { People } from './people.ts';
import { signInPath } from './sign-in-path.ts';

export interface SignedInPeopleParts {
  readonly people: Pick<People, 'claimAuth' | 'sessions'>;
  readonly registrations: Pick<RegistrationRecords, 'find'>;
  readonly grants: Pick<GrantRecords, 'look'>;
  readonly revocations: Pick<Revocations, 'has' | 'follow'>;
  readonly addresses: Addresses;
  /** Whether everybody has to bring a token; else whoever opens a page on loopback is the operator. */
  readonly isRequired: boolean;
  readonly tenant: string;
  readonly now: () => number;
}

/** Make what the other surfaces ask about the people who sign in here. */
export function createSignedInPeople(parts: SignedInPeopleParts): SignedInPeople {
  const { people, registrations, grants, revocations, addresses, isRequired, tenant, now } = parts;

  /** For whom somebody asks: what stands in the store counts, not what a token said once. */
  async function personOf({ subject, registration, grant }: Parameters<Standing>[0]) {
    if (registration !== undefined) return (await registrations.find(registration))?.user;
    // What a provider vouches for has a mark in place of a consent.
    return grant === undefined ? subject : ((await grants.look(grant))?.user ?? subject);
  }

  return {
    async visitor(http) {
      const person = await people.sessions.current(http);
      // Who decides has proven lately who they are.
      if (!person || person.authTime + sessionMs <= now()) return undefined;
      const { id, email, session } = person;
      return { tenant, id, email, session };
    },
    signInPath: (path) => (people.claimAuth() === 'none' ? undefined : signInPath(path)),
    async standing(asker, person) {
      const isOwn = asker.tenant === person.tenant && (await personOf(asker)) === person.id;
      if (!isOwn) return 'foreign';
      await revocations.follow();
      const { subject, registration, grant, askedAt: issuedAt } = asker;
      const isOver = revocations.has({
        id: '',
        client: '',
        subject,
        registration,
        grant,
        issuedAt,
      });
      return isOver ? 'ended' : 'acts';
    },
    nobodyDecides({ scopes, subject, registration }) {
      if (!isRequired) return undefined;
      if (scopes === 'all') {
        return { why: 'the operator signs in nowhere; use a client that declares elicitation' };
      }
      if (people.claimAuth() === 'none') {
        return { why: 'nobody can sign in at this server (SERVICE_CLAIM_AUTH)' };
      }
      if (registration !== undefined && subject === registration) {
        const claimUrl = addresses.url('/agent/identity/claim');
        const why = `this agent acts for nobody yet; have a person claim it: post its claim_token and their e-mail address as login_hint to ${claimUrl}, get a new token, and call again`;
        return { why, claimUrl };
      }
      if (subject.startsWith('usr_')) return undefined;
      return { why: 'this caller acts for itself, and no person stands behind it' };
    },
  };
}

type Standing = SignedInPeople['standing'];
