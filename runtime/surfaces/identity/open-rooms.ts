import { ServiceError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { JsonObject } from '#contract/json';
import type { AdmissionParts } from '#contract/surface/admission-parts';
import type { DocumentSigner } from '#contract/surface/document-signer';
import type { SignedInPeople } from '#contract/surface/people';
import { defaultTenant } from '#contract/tenant/tenants';
import type { IdentityConfig } from '../../../generated/surfaces/identity/config.ts';
import type { IdentityJobs } from '../../../generated/surfaces/identity/jobs.ts';
import type { IdentityHandlers } from '../../../generated/surfaces/identity/routes.ts';
import { commandsOfAll, type OperatorCommands } from './commands/commands-of-all.ts';
import { writeTerminalNotes } from './commands/terminal-notes.ts';
import type { IdentityNeeds } from './create-identity.ts';
import { signDocument } from './keys/sign-document.ts';
import { writeNotes } from './outbox/write-notes.ts';
import { peopleOfAll } from './people/people-of-all.ts';
import { sweepExpired } from './records/sweep.ts';
import { forgetUnclaimed } from './registration/forget.ts';
import { createTenantRooms, type TenantRooms } from './tenant-rooms.ts';
import { watermarkLifeMs } from './tokens/revocations.ts';

/** All that this surface does for all tenants, ready for use. */
export interface Rooms
  extends Required<Pick<AdmissionParts, 'authenticate' | 'refuse' | 'grantable'>> {
  /** @throws ServiceError 404 where there is no such tenant any more */
  handlersOf(tenant: string): IdentityHandlers;
  readonly jobs: IdentityJobs;
  readonly people: SignedInPeople;
  readonly commands: OperatorCommands;
  readonly signer: DocumentSigner;
}

/**
 * Put all rooms together.
 *
 * @throws ConfigError where the settings do not fit together
 */
export function openRooms(house: Pick<House, IdentityNeeds>, config: IdentityConfig): Rooms {
  const rooms = createTenantRooms(house, config);
  const roomOf = (tenant: string) => known(rooms, tenant);
  const commands = commandsOfAll(rooms);
  return {
    handlersOf: (tenant) => roomOf(tenant).handlers,
    jobs: createJobs(rooms, house),
    commands,
    signer: {
      sign: async (tenant, payload, head) => {
        const { signingKeys, addresses } = roomOf(tenant).identity;
        return signDocument(payload, signingKeys, addresses.url('/.well-known/jwks.json'), head);
      },
      keys: async (tenant) => {
        const published = await roomOf(tenant).identity.signingKeys.published();
        return published as readonly unknown[] as readonly JsonObject[];
      },
    },
    people: peopleOfAll((tenant) => roomOf(tenant).people),
    authenticate: (arrival, needs) => roomOf(arrival.tenant).authenticate(arrival, needs),
    refuse: (refused) => roomOf(refused.caller.tenant).refuse(refused),
    grantable: (caller) => roomOf(caller.tenant).grantable(caller),
  };
}

function known<Value>(of: ReadonlyMap<string, Value>, tenant: string): Value {
  const value = of.get(tenant);
  if (value !== undefined) return value;
  throw new ServiceError('not_found', 404, 'there is no such tenant');
}

function createJobs(rooms: TenantRooms, { audit }: Pick<House, 'audit'>): IdentityJobs {
  const identities = [...rooms.values()].map(({ identity }) => identity);
  const own = known(rooms, defaultTenant).identity;
  return {
    async identityKeys({ signal }) {
      for (const { signingKeys } of identities) if (!signal.aborted) await signingKeys.rotate();
    },
    async identityExpiry({ signal }) {
      await sweepExpired(own.place, watermarkLifeMs);
      for (const { place, registrations, outbox } of identities) {
        await forgetUnclaimed(registrations, outbox, { now: place.now(), signal });
      }
    },
    async identityRevocations() {
      // Whoever has not been asked for lately looks before it lets a token pass.
      const used = identities.filter(({ revocations }) => revocations.isUsed);
      await Promise.all(used.map(({ revocations }) => revocations.follow()));
    },
    identityTerminal: writeTerminalNotes(own.events),
    identityNotes: writeNotes(own.events, audit),
    // What a tenant had to send that is there no more, nobody gets.
    identityMail: async (job) => rooms.get(job.tenant)?.identity.people.mail.run(job),
  };
}
