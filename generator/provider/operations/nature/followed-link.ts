import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { reading } from './verbs.ts';

/** Where people come to from another place, such as a message, so that something is done. */
const returned = /(?:^|[-_.])callback$/i;
const proven = /^(?:verify|verification|verify[-_]?e?mail|email[-_]?verif(?:y|ication))$/i;

/** Whether a GET is the address of a link that people follow: it ends what they have begun elsewhere. */
export function isFollowed({ path }: ApiOperation, told: string): boolean {
  const [last = '', ...before] = path.split('/').toReversed();
  if (returned.test(last)) return !reading.has(told) || /\b(?:auth|oauth2?|oidc|sso)\b/i.test(path);
  return (
    /^\{[^}]*(?:code|hash|token)\}$/i.test(last) &&
    before.slice(0, 2).some((part) => proven.test(part))
  );
}
