import type { OutboxNote } from '../outbox/note.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Place } from '../records/place.ts';
import type { Registration, RegistrationRecords } from '../records/registrations.ts';
import { keyedHash } from '../secrets/keyed-hash.ts';

export interface NewRegistrationParts {
  readonly place: Pick<Place, 'store'>;
  readonly records: Pick<RegistrationRecords, 'add'>;
  readonly outbox: Outbox;
  /** Key of the hashes that stand for what is nobody's business. */
  readonly key: () => Buffer;
}

/** Makes the note of a new registration. */
export type NoteOfRegistration = (registration: Registration) => OutboxNote;

/** Stores a new registration, and that it is there. */
export type AddRegistration = (registration: Registration) => Promise<void>;

/** Who is written down as the author of what an agent does. */
export function agentActor({ id, user }: Pick<Registration, 'id' | 'user'>) {
  return { type: 'agent', id: user ?? id, registration: id } as const;
}

/** Make what tells of new registrations: networks as keyed hashes. */
export function notesOfRegistrations(key: () => Buffer): NoteOfRegistration {
  return (registration) => {
    const { id, kind, network, preScopes, postScopes } = registration;
    return {
      action: 'REGISTRATION_CREATED',
      actor: agentActor(registration),
      subject: id,
      payload: {
        kind,
        network: keyedHash(key(), 'network', network).slice(0, 22),
        pre_scopes: preScopes.join(' ').slice(0, 2000),
        post_scopes: postScopes.join(' ').slice(0, 2000),
      },
      agent: { to: 'unclaimed' },
    };
  };
}

/** Make what stores new registrations: with what is to be written down of them, or not at all. */
export function addRegistrations(parts: NewRegistrationParts): AddRegistration {
  const { place, records, outbox, key } = parts;
  const noteOf = notesOfRegistrations(key);
  return async (registration) => {
    await place.store.transaction(async (tx) => {
      await records.add(registration, tx);
      await outbox.add(noteOf(registration), tx);
    });
    outbox.wake();
  };
}
