import type { Addresses } from '../addresses.ts';
import { type AccessToken, InvalidToken } from '../tokens/access-token.ts';
import type { Revocations } from '../tokens/revocations.ts';
import { type Grant, refusal } from './grant.ts';
import { type IssueOAuthToken, narrowedResource, narrowedScopes } from './oauth-token.ts';

export interface ExchangeParts {
  /** @throws InvalidToken */
  readonly verify: (token: string) => Promise<AccessToken>;
  readonly revocations: Pick<Revocations, 'has' | 'follow'>;
  readonly addresses: Addresses;
  readonly issue: IssueOAuthToken;
  readonly now: () => number;
}

/** Tokens that one was exchanged for, one after the other; each of them is looked for at each call. */
const mostAncestors = 8;

const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Give who holds an access token one that can do less (RFC 8693): fewer scopes, a narrower
 * resource, no longer life. `act` says through whom it came.
 */
export function tokenExchange(parts: ExchangeParts): Grant {
  const { addresses, issue, now } = parts;
  return async ({ form, jkt }) => {
    const { subject_token: subject, requested_token_type: wanted = accessToken } = form;
    if (subject === undefined) throw refusal('invalid_request', 'subject_token is missing');
    if (form['subject_token_type'] !== accessToken || wanted !== accessToken) {
      throw refusal('invalid_request', `only ${accessToken} is exchanged, for another of the kind`);
    }
    if (form['actor_token'] !== undefined) {
      throw refusal('invalid_request', 'actor_token is not taken: the holder of the token acts');
    }
    const held = await verified(subject, parts);
    if (held.jkt !== undefined && held.jkt !== jkt) {
      throw refusal(
        'invalid_grant',
        'the proof of the key that subject_token is bound to is missing',
      );
    }
    const ancestors = [...(held.ancestors ?? []), held.id];
    if (ancestors.length > mostAncestors) {
      const message = `a token is exchanged ${mostAncestors} times at most, one for the other`;
      throw refusal('invalid_grant', message);
    }
    const resource = narrowedResource(
      addresses,
      held.resource,
      form['resource'] ?? form['audience'],
    );
    const token = await issue({
      subject: held.subject,
      client: held.client,
      scopes: narrowedScopes([...held.allScopes], form['scope'] ?? held.scopes.join(' ')),
      resource,
      registration: held.registration,
      grant: held.grant,
      act: { sub: held.client, ...(held.act && { act: held.act }) },
      ancestors,
      jkt,
      notBefore: held.issuedAt,
      lifetimeMs: Math.min(held.expiresAt - now(), 3_600_000),
    });
    return { ...token, issued_token_type: accessToken };
  };
}

/** @throws ServiceError `invalid_grant` */
async function verified(token: string, parts: ExchangeParts): Promise<AccessToken> {
  try {
    const held = await parts.verify(token);
    await parts.revocations.follow();
    // What another issuer ends would live on here.
    const isOwn = held.issuer === parts.addresses.base();
    if (isOwn && held.expiresAt > parts.now() && !parts.revocations.has(held)) return held;
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
  }
  throw refusal('invalid_grant', 'subject_token is not valid, was revoked, or has expired');
}
