import type { House } from '#contract/house/house';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import { type ActingAgent, agentsPage } from '../pages/agents-page.ts';
import { foreignFormPage, nobodySignsInPage, signedOutPage } from '../pages/sign-in-pages.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import type { RevokeRegistration } from '../registration/revoke-registration.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import type { People } from './people.ts';
import type { Person } from './person.ts';
import { signInPath } from './sign-in-path.ts';

export interface AgentsParts {
  readonly people: Pick<People, 'claimAuth' | 'sessions' | 'tenant'>;
  readonly registrations: Pick<RegistrationRecords, 'list' | 'find'>;
  readonly revoke: RevokeRegistration;
  readonly scopes: Pick<Scopes, 'sentence'>;
  /** What else acts for people. */
  readonly others: OtherAgents;
}

/** Things that act for people without being registered agents: what they allow clients of OAuth. */
export interface OtherAgents {
  list(person: Person): Promise<readonly ActingAgent[]>;
  /** Whether it was this person's, and is over now. */
  revoke(id: string, person: Person): Promise<boolean>;
}

/** Most agents that a page shows. */
export const mostShown = 100;

const kinds: Readonly<Record<Registration['kind'], string>> = {
  anonymous: 'Registered by itself',
  service_auth: 'Registered for you',
  identity_assertion: 'Registered by a provider',
};

/** The page on which people see and revoke what acts for them. */
export function createAgentsHandlers(
  { people, registrations, revoke, scopes, others }: AgentsParts,
  pages: House['pages'],
): Pick<IdentityHandlers, 'showAgents' | 'revokeAgent' | 'leaveAgents'> {
  const place = (person: Person) => ({
    path: '/agents',
    caller: { tenant: people.tenant, subject: person.session },
  });
  const seeOther = (location: string) => ({
    status: 303 as const,
    headers: { location, 'cache-control': 'no-store' },
  });
  return {
    async showAgents({ parameters: { revoked }, context: { http } }) {
      const person = await people.sessions.current(http);
      if (!person && people.claimAuth() === 'none') {
        return { status: 403, ...pages.show(nobodySignsInPage) };
      }
      if (!person) return seeOther(signInPath('/agents'));
      const own = await registrations.list({ user: person.id, limit: mostShown });
      const agents = own
        .filter(({ revokedAt }) => revokedAt === undefined)
        .map((each) => actingAgent(each, scopes));
      const more = await others.list(person);
      const note =
        revoked === undefined
          ? undefined
          : 'It was revoked: it cannot do anything for you any more.';
      const form = pages.form(place(person), http);
      return {
        status: 200,
        ...pages.show(agentsPage(person.email, [...agents, ...more], { form, note })),
      };
    },
    async revokeAgent({ body: { token, id }, context: { http } }) {
      const person = await people.sessions.current(http);
      if (!person || !pages.accepts(place(person), token, http)) {
        return { status: 403, ...pages.show(foreignFormPage) };
      }
      const registration = await registrations.find(id);
      if (registration?.user === person.id) {
        await revoke(id, { type: 'user', id: person.id });
      } else if (!(await others.revoke(id, person))) {
        return seeOther('/agents');
      }
      return seeOther('/agents?revoked=1');
    },
    async leaveAgents({ body: { token }, context: { http } }) {
      const person = await people.sessions.current(http);
      if (!person || !pages.accepts(place(person), token, http)) {
        return { status: 403, ...pages.show(foreignFormPage) };
      }
      const { headers, body } = pages.show(signedOutPage);
      const cookie = await people.sessions.end(http);
      return { status: 200, headers: { ...headers, 'set-cookie': cookie }, body };
    },
  };
}

function actingAgent(registration: Registration, scopes: Pick<Scopes, 'sentence'>): ActingAgent {
  const { id, clientName, kind, network, claimedAt = 0, usedAt, postScopes } = registration;
  return {
    id,
    name: clientName,
    kind: kinds[kind],
    since: dayText(claimedAt),
    used: usedAt === undefined ? 'never' : dayText(usedAt),
    network: network === 'local' ? 'this machine' : network,
    scopes: postScopes.map((scope) => scopes.sentence(scope)),
  };
}

/** A day and a time as people read them, in UTC. */
export function dayText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
