import type { ScopeSets, Scopes } from '../scopes/catalogue.ts';
import { refusedRegistration } from './register.ts';

/**
 * What an agent is granted of what it asks for.
 *
 * @throws ServiceError `invalid_scope` where one does not exist, or nothing is left
 */
export function grantedSets(scopes: Scopes, wanted: readonly string[] | undefined): ScopeSets {
  const unknown = scopes.unknownMessage(wanted ?? []);
  if (unknown !== undefined) throw refusedRegistration('invalid_scope', 400, unknown);
  const sets = scopes.split(wanted);
  if (sets.post.length > 0) return sets;
  throw refusedRegistration('invalid_scope', 400, 'no agent that registers is given these scopes');
}
