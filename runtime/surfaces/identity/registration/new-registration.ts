import { claimWindowMs } from '../numbers.ts';
import { type Issued, nobodyVouches, type Registration } from '../records/registrations.ts';
import type { ScopeSets } from '../scopes/catalogue.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';

/** What tells a new registration from others. */
export interface NewRegistration {
  readonly kind: Registration['kind'];
  readonly clientName?: string | undefined;
  readonly softwareId?: string | undefined;
  readonly network: string;
  readonly scopes: ScopeSets;
  readonly hint?: string;
  readonly jkt?: string | undefined;
  readonly issued?: Issued;
}

/** Make a registration that nobody has claimed, with the token with which it can be claimed. */
export function newRegistration(
  { kind, network, scopes, hint = '', jkt = '', issued = nobodyVouches, ...facts }: NewRegistration,
  now: number,
): { readonly registration: Registration; readonly claimToken: string } {
  const claimToken = makeSecret('clm');
  const registration: Registration = {
    ...{ id: makeSecret('reg'), kind, network, hint, jkt, ...issued },
    user: undefined,
    clientName: shown(facts.clientName),
    softwareId: shown(facts.softwareId),
    createdAt: now,
    expiresAt: now + claimWindowMs,
    claimedAt: undefined,
    revokedAt: undefined,
    notBefore: 0,
    epoch: 1,
    preScopes: scopes.pre,
    postScopes: scopes.post,
    claimHash: secretHash(claimToken),
    usedAt: undefined,
  };
  return { registration, claimToken };
}

/** What an agent calls itself is shown to people: one line of visible characters. */
function shown(text = ''): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
