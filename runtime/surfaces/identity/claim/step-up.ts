import type { JsonObject } from '#contract/json';
import type { Place } from '../records/place.ts';
import type { RegistrationRecords } from '../records/registrations.ts';
import type { Register } from '../registration/register.ts';
import { ceremonyMembers, linkMembers } from './attempt-members.ts';
import type { Claims } from './claims.ts';

interface StepUpParts {
  readonly claims: Claims;
  readonly records: Pick<RegistrationRecords, 'find'>;
  readonly place: Place;
}

/** Where a registration is answered with a claim that its person has to agree to, begin the ceremony. */
export function withAttempt(register: Register, { claims, records, place }: StepUpParts): Register {
  return async (body, context) => {
    const answer = await register(body, context);
    const { claim, id } = answer.body;
    if (answer.status !== 401 || typeof id !== 'string' || claim === undefined) return answer;
    const registration = await records.find(id);
    if (!registration || registration.hint === '') return answer;
    const attempt = await claims.mint(id, registration.hint);
    const ceremony = { ...ceremonyMembers(attempt, place.now()), attempt: linkMembers(attempt) };
    // What the room that registers has written there.
    const members = claim as JsonObject;
    return { ...answer, body: { ...answer.body, claim: { ...members, ...ceremony } } };
  };
}
