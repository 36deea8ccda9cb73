import { ServiceError } from '#contract/errors';
import type { OAuthClient } from '../clients/client.ts';
import { fitsRedirect } from '../clients/redirect-uri.ts';

/** The parameters of an authorization request, as they came. */
export interface RequestParameters {
  readonly response_type?: string;
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly state?: string;
  readonly scope?: string;
  readonly resource?: string;
  readonly prompt?: string;
  readonly response_mode?: string;
  readonly dpop_jkt?: string;
  readonly request?: string;
  readonly request_uri?: string;
}

/** What a client asks for, checked. */
export interface AuthorizationRequest {
  readonly client: string;
  readonly redirectUri: string;
  /** Whether the request named it: the token request must then do so too. */
  readonly namedRedirect: boolean;
  readonly challenge: string;
  readonly state: string | undefined;
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly isSilent: boolean;
  readonly jkt: string;
}

/** What a request is checked against. */
export interface RequestRules {
  /** The one of our resources that is meant; nothing where it is none. */
  resource(text: string | undefined): string | undefined;
  /** Those of the scopes that a client of this kind can be given. */
  grantable(scopes: readonly string[], client: OAuthClient): readonly string[];
}

/** A mistake that is told to the person and never sent anywhere: nobody knows to whom. */
export function unusableRequest(message: string): ServiceError {
  return new ServiceError('invalid_request', 400, message);
}

/**
 * Find where the answer goes (RFC 6749 section 3.1.2, RFC 9700 section 4.1).
 *
 * @throws ServiceError that must not be sent to the redirect
 */
export function redirectOf(client: OAuthClient, asked: string | undefined): string {
  const [only, ...others] = client.redirectUris;
  if (asked === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw unusableRequest('redirect_uri is missing, and the client has not registered just one');
  }
  if (fitsRedirect(client.redirectUris, asked)) return asked;
  throw unusableRequest('redirect_uri is not one that the client has registered');
}

/**
 * Check all else.
 *
 * @throws ServiceError whose code and message go to the redirect (RFC 6749 section 4.1.2.1)
 */
export function checkRequest(
  asked: RequestParameters,
  client: OAuthClient,
  rules: RequestRules,
): Omit<AuthorizationRequest, 'redirectUri' | 'namedRedirect'> {
  if (asked.request !== undefined) refuse('request_not_supported', 'request objects are not taken');
  if (asked.response_type === undefined) refuse('invalid_request', 'response_type is missing');
  if (asked.response_type !== 'code') {
    refuse('unsupported_response_type', 'response_type must be code');
  }
  if ((asked.response_mode ?? 'query') !== 'query') {
    refuse('invalid_request', 'response_mode must be query');
  }
  if (!client.grantTypes.includes('authorization_code')) {
    refuse('unauthorized_client', 'the client is not registered for authorization_code');
  }
  const challenge = asked.code_challenge;
  if (challenge === undefined) return refuse('invalid_request', 'code_challenge is missing (PKCE)');
  if (asked.code_challenge_method !== 'S256') {
    refuse('invalid_request', 'code_challenge_method must be S256');
  }
  if (!/^[\w-]{43}$/.test(challenge)) {
    refuse('invalid_request', 'code_challenge must be a SHA-256 in base64url');
  }
  const resource = rules.resource(asked.resource);
  if (resource === undefined) return refuse('invalid_target', 'resource is none of this server');
  const wanted = (asked.scope ?? 'mcp.tools').split(' ').filter((scope) => scope !== '');
  const scopes = rules.grantable([...new Set(wanted)], client);
  if (scopes.length === 0)
    refuse('invalid_scope', 'none of the scopes can be given to this client');
  const jkt = asked.dpop_jkt ?? '';
  if (jkt !== '' && !/^[\w-]{43}$/.test(jkt)) {
    refuse('invalid_request', 'dpop_jkt must be a SHA-256 in base64url');
  }
  const isSilent = asked.prompt === 'none';
  return { client: client.id, challenge, state: asked.state, scopes, resource, isSilent, jkt };
}

function refuse(code: string, message: string): never {
  throw new ServiceError(code, 400, message);
}
