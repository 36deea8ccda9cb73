import { type Grant, refusal } from './grant.ts';

/** Whose refresh tokens begin how. */
export interface RefreshGrants {
  readonly agent: Grant;
  readonly oauth?: Grant | undefined;
}

/** Spend a refresh token (RFC 6749 section 6): its beginning says whose it is. */
export function refreshGrant({ agent, oauth }: RefreshGrants): Grant {
  return (request) => {
    const { refresh_token: value = '' } = request.form;
    if (value.startsWith('art_')) return agent(request);
    if (oauth) return oauth(request);
    throw refusal('invalid_grant', 'the refresh token is unknown');
  };
}
