import { ServiceError } from '#contract/errors';
import type { JsonObject } from '#contract/json';
import type { IdentityHandlers } from '../../../../generated/surfaces/identity/routes.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import { registrationMembers, scopeMembers, timeText } from './answer.ts';

/** Tell a caller who it is here, and what it may do. */
export function createOwnRegistration(
  records: Pick<RegistrationRecords, 'find'>,
): Pick<IdentityHandlers, 'getOwnRegistration'> {
  return {
    async getOwnRegistration({ context: { caller } }) {
      const { subject, client, scopes, registration: id } = caller;
      const held = scopes === 'all' ? ['*'] : [...scopes];
      const body: JsonObject = { subject, client_id: client, granted_scopes: held };
      if (id === undefined) return { status: 200, headers: never, body };
      const registration = await records.find(id);
      if (!registration) throw new ServiceError('not_found', 404, 'the registration is gone');
      const { claimedAt, expiresAt, createdAt, clientName } = registration;
      return {
        status: 200,
        headers: never,
        body: {
          ...body,
          ...registrationMembers(registration),
          ...scopeMembers(registration),
          status: claimedAt === undefined ? 'unclaimed' : 'claimed',
          client_name: clientName,
          created_at: timeText(createdAt),
          ...(claimedAt === undefined
            ? { claim_token_expires: timeText(expiresAt) }
            : { claimed_at: timeText(claimedAt) }),
        },
      };
    },
  };
}

const never = { 'cache-control': 'no-store' };
