import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { shownText, toldFirst } from '../nature/told-summary.ts';

/** Ways to prove who one is, where a path begins with them: below somebody with an id, others look after them. */
const firstMethods =
  /^\/(?:(?:api|auth|me|my-?account|rest|v\d+)\/)*(?:authentication[-_]?methods?|authenticators?|factors?|mfa|passkeys?|security[-_]?keys?|webauthn)(?:\/|$)/i;
const enrolling = /\benrol(?:l(?:ment|s|ing)?|ments?)?\b/i;

/** How texts say that somebody joins another account to the own one, which another site asks about. */
const saidToLink =
  /\blinks? (?:an? |the )?(?:external|oauth|social) (?:account|identity|login|provider)\b|\b(?:link|connect)s? the (?:authenticated|current|logged[- ]in|signed[- ]in) user\b/i;

/** Where they join the account of another site to their own: `/account/acme/connect`. */
const connecting =
  /^\/(?:(?:api|v\d+)\/)*(?:account|me|my-?account|profile|user)\/(?:[^/{]+\/){0,2}(?:connect|link|onboard(?:ing)?)$/i;

/** Whether people add a way in which they log in, or another account with which they do. */
export function addsOwnLogin({ path, node }: ApiOperation, pathParameters: number): boolean {
  const told = [toldFirst(node), String(node['description'] ?? '')]
    .map((text) => text.slice(0, shownText))
    .join('\n');
  if (firstMethods.test(path) && enrolling.test(told)) return true;
  return pathParameters === 0 && (saidToLink.test(told) || connecting.test(path));
}
