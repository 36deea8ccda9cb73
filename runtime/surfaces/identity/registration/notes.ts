import type { IdentityEvents } from '../../../../generated/surfaces/identity/events.ts';
import type { Registration } from '../records/registrations.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';

/** What writes registrations down. */
export interface RegistrationNotes {
  readonly events: Pick<IdentityEvents, 'registrationCreated'>;
  readonly tenant: string;
  /** Key of the hashes that stand for what is nobody's business. */
  readonly key: () => Buffer;
}

/** Who is written down as the author of what an agent does. */
export function agentActor({ id, user }: Pick<Registration, 'id' | 'user'>) {
  return { type: 'agent', id: user ?? id, registration: id } as const;
}

/** Write down that somebody has registered: networks and issuers' subjects as keyed hashes. */
export async function noteRegistration(
  { events, tenant, key }: RegistrationNotes,
  registration: Registration,
): Promise<void> {
  const { id, kind, network, preScopes, postScopes } = registration;
  await events.registrationCreated({
    tenant,
    actor: agentActor(registration),
    subject: id,
    payload: {
      kind,
      network: keyedHash(key(), 'network', network).slice(0, 22),
      pre_scopes: preScopes.join(' ').slice(0, 2000),
      post_scopes: postScopes.join(' ').slice(0, 2000),
    },
  });
}
