import type { ScopeSets, Scopes } from '../scopes/catalogue.ts';
import { refusedRegistration } from './register.ts';

/**
 * What an agent is granted of what it asks for.
 *
 * @throws ServiceError `invalid_scope` where one does not exist, or nothing is left
 */
export function grantedSets(scopes: Scopes, wanted: readonly string[] | undefined): ScopeSets {
  if (wanted?.length === 0) {
    const message = 'scopes is empty: it must name a scope, or be left out';
    throw refusedRegistration('invalid_scope', 400, message);
  }
  const unknown = scopes.unknownMessage(wanted ?? []);
  if (unknown !== undefined) throw refusedRegistration('invalid_scope', 400, unknown);
  const sets = scopes.split(wanted);
  if (sets.post.length > 0) return sets;
  const names = [...new Set(wanted)].join(', ').slice(0, 400);
  const message = `no agent that registers is given these scopes: ${names}`;
  throw refusedRegistration('invalid_scope', 400, message);
}
