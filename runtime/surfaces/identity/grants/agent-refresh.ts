import type { RegistrationRecords } from '../records/registrations.ts';
import type { RefreshTokens } from '../tokens/refresh-tokens.ts';
import type { IssueAgentToken } from './agent-token.ts';
import { type Grant, refusal } from './grant.ts';

export interface AgentRefreshParts {
  readonly records: Pick<RegistrationRecords, 'find'>;
  readonly refreshTokens: RefreshTokens;
  readonly issue: IssueAgentToken;
}

/** Give a claimed agent an access token for its refresh token, which is spent. */
export function agentRefresh({ records, refreshTokens, issue }: AgentRefreshParts): Grant {
  return async (request) => {
    const { refresh_token: value } = request.form;
    if (value === undefined) throw refusal('invalid_request', 'refresh_token is missing');
    const found = await refreshTokens.find(value);
    const registration = found?.kind === 'agent' ? await records.find(found.owner) : undefined;
    if (!registration) throw refused();
    // What the request lacks must not cost the token.
    const token = await issue(registration, request);
    const refreshed = await refreshTokens.spend(value);
    if (!refreshed) throw refused();
    return { ...token, refresh_token: refreshed.next.value };
  };
}

function refused() {
  return refusal(
    'invalid_grant',
    'the refresh token is unknown, was used, revoked, or has expired',
  );
}
