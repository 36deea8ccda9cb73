import type { Transaction } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import type { Addresses } from '../addresses.ts';
import type { Remedy } from '../authenticate/challenges.ts';
import { grantableTiers, isGivenByPerson } from '../authorize/grantable.ts';
import type { Clients } from '../clients/clients.ts';
import { elevationMs } from '../numbers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Person } from '../people/person.ts';
import type { ElevationRecords } from '../records/elevations.ts';
import type { GrantRecords } from '../records/grants.ts';
import type { Place } from '../records/place.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { Scopes } from '../scopes/catalogue.ts';
import { secretHash } from '../secrets/secret.ts';
import { type ElevationRequest, readElevation, writeElevation } from './elevation-request.ts';

export interface ElevationParts {
  readonly addresses: Addresses;
  readonly scopes: Scopes;
  readonly records: ElevationRecords;
  readonly registrations: Pick<RegistrationRecords, 'find' | 'change'>;
  readonly grants: Pick<GrantRecords, 'find' | 'widen'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly outbox: Outbox;
  readonly place: Pick<Place, 'store'>;
  readonly key: () => Buffer;
  readonly now: () => number;
}

/** Path of the page on which a person gives more. */
export const elevationPath = '/oauth2/elevate';

/** Lets a person give more to what acts for them already, without a new login. */
export class Elevation {
  readonly #parts: ElevationParts;

  constructor(parts: ElevationParts) {
    this.#parts = parts;
  }

  /** What a caller can do that lacks scopes: send its person to a page, or be claimed first. */
  readonly remedy: Remedy = ({ caller, needs }) => {
    const { addresses, scopes, key, now } = this.#parts;
    const { registration, grant, subject } = caller;
    const grantable = scopes.ofTier(...grantableTiers);
    if (!needs.every((scope) => grantable.includes(scope))) return {};
    if (registration !== undefined && subject === registration) {
      const url = addresses.url('/agent/identity/claim');
      return { claim: { url, available_after_claim: true } };
    }
    const owner = registration ?? grant;
    if (owner === undefined || !isGivenByPerson(caller)) return {};
    const request = writeElevation(
      {
        ...{ kind: registration === undefined ? 'grant' : 'registration', owner, user: subject },
        ...{ scopes: needs, expiresAt: now() + elevationMs },
      },
      key(),
    );
    return { elevation_url: `${addresses.url(elevationPath)}?request=${request}` };
  };

  /** The request, where this person can agree to it, and nobody has decided about it. */
  async read(written: string, person: Person): Promise<ElevationRequest | undefined> {
    const { key, now } = this.#parts;
    const request = readElevation(written, key(), now());
    if (request?.user !== person.id || !(await this.#isOf(person, request))) return undefined;
    return (await this.#parts.records.isDecided(secretHash(written))) ? undefined : request;
  }

  /** Whether what asks acts for this person still. */
  async #isOf({ id }: Person, { kind, owner }: ElevationRequest): Promise<boolean> {
    const { registrations, grants } = this.#parts;
    if (kind === 'grant') return (await grants.find(owner))?.user === id;
    const registration = await registrations.find(owner);
    return registration?.user === id && registration.revokedAt === undefined;
  }

  /** What the one that asks calls itself. */
  async askerOf({ kind, owner }: ElevationRequest): Promise<string> {
    const { registrations, grants, clients } = this.#parts;
    if (kind === 'registration') return (await registrations.find(owner))?.clientName ?? '';
    const client = (await grants.find(owner))?.client;
    return client === undefined ? '' : ((await clients.find(client))?.name ?? '');
  }

  /** Give what was asked for; false where it was decided before, or there is nobody to give it to. */
  async allow(written: string, request: ElevationRequest, person: Person): Promise<boolean> {
    const { records, outbox, place, now } = this.#parts;
    const { kind, owner, scopes, expiresAt } = request;
    const isGiven = await place.store.transaction(async (tx) => {
      const at = now();
      const row = {
        ...{ hash: secretHash(written), kind, owner, user: person.id },
        scopes: JSON.stringify(scopes),
        ...{ created_at: at, expires_at: expiresAt, used_at: at },
      };
      if (!(await records.decide(row, tx)) || !(await this.#widen(request, person, tx)))
        return false;
      const actor = { type: 'user', id: person.id } as const;
      const payload = { kind, scope: scopes.join(' ').slice(0, 2000) };
      await outbox.add({ action: 'SCOPES_WIDENED', actor, subject: owner, payload }, tx);
      return true;
    });
    if (isGiven) outbox.wake();
    return isGiven;
  }

  /** Whether it acts for this person still, and has more from now on. */
  async #widen(
    { kind, owner, scopes }: ElevationRequest,
    person: Person,
    tx: Transaction<IdentityTables>,
  ): Promise<boolean> {
    const { registrations, grants } = this.#parts;
    if (kind === 'grant') {
      const grant = await grants.find(owner, tx);
      if (grant?.user !== person.id) return false;
      await grants.widen(owner, scopes, tx);
      return true;
    }
    const registration = await registrations.find(owner, tx);
    if (registration?.user !== person.id || registration.revokedAt !== undefined) return false;
    const postScopes = [...new Set([...registration.postScopes, ...scopes])];
    await registrations.change(owner, { postScopes }, tx);
    return true;
  }
}
