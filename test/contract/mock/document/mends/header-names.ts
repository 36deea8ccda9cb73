import { isObject } from '#contract/json';
import { meantAuthorization } from '../../../../../generator/read/repair/meant-authorization.ts';

/**
 * Name the usual header where a header is called what none can be (`Authorization: Bearer`): a mock looks
 * for it by the letter, and so refuses every request.
 *
 * @returns whether one had to be named
 */
export function nameHeaders(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  let isNamed = false;
  for (const member of Object.values(node)) isNamed = nameHeaders(member) || isNamed;
  if (!isObject(node) || node['in'] !== 'header' || typeof node['name'] !== 'string')
    return isNamed;
  if (meantAuthorization(node['name']) === undefined) return isNamed;
  node['name'] = 'Authorization';
  return true;
}
