import { hash } from 'node:crypto';
import { isLoopback } from '#contract/config/loopback';
import { comparableText, isObject } from '#contract/json';
import { longestUrl, mostRedirects } from '../numbers.ts';
import { parseKeySet } from '../trust/remote-keys.ts';
import { type ClientMetadata, type ClientMethod, clientMethods } from './client.ts';
import { redirectProblem } from './redirect-uri.ts';

/** What is wrong with what a client says of itself (RFC 7591 section 3.2.2). */
export class MetadataError extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(code: MetadataError['code'], message: string) {
    super(message);
    this.name = 'MetadataError';
    this.code = code;
  }
}

const grantTypes: readonly string[] = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

type Members = Readonly<Record<string, unknown>>;

/** How the metadata is read where it comes from. */
interface MetadataRules {
  /** How a client proves itself that does not say so. */
  readonly defaultMethod: ClientMethod;
  /** Whether there must be an address to go back to. */
  readonly needsRedirect: boolean;
  /** Whether what a client could do with other servers is left out, or refused. */
  readonly ignoresOthers: boolean;
  /**
   * Whether the scope that is named is the most it is ever given. What a client names of itself is what
   * it wants first: hosts name what the first challenge says, and ask for more when a call needs it.
   */
  readonly limitsScope: boolean;
}

/**
 * Read the metadata of a client (RFC 7591 section 2). Members that mean nothing here are ignored.
 *
 * @throws MetadataError
 */
export function parseMetadata(members: Members, rules: MetadataRules): ClientMetadata {
  const method = textOf(members, 'token_endpoint_auth_method') ?? rules.defaultMethod;
  if (!isMethod(method)) {
    throw invalid(`token_endpoint_auth_method must be one of ${clientMethods.join(', ')}`);
  }
  const redirectUris = listOf(members, 'redirect_uris') ?? [];
  checkRedirects(redirectUris, textOf(members, 'application_type'));
  const grants = grantsOf(members, rules);
  if (redirectUris.length === 0 && (rules.needsRedirect || grants.includes('authorization_code'))) {
    throw new MetadataError('invalid_redirect_uri', 'redirect_uris must name at least one address');
  }
  const scope = textOf(members, 'scope');
  const softwareVersion = clean(textOf(members, 'software_version') ?? '');
  return {
    name: clean(textOf(members, 'client_name') ?? ''),
    redirectUris,
    method,
    grantTypes: grants,
    ...(rules.limitsScope &&
      scope !== undefined && { scopes: scope.split(' ').filter((each) => each !== '') }),
    ...keysOf(members, method),
    wantsDpop: members['dpop_bound_access_tokens'] === true,
    softwareId: clean(textOf(members, 'software_id') ?? ''),
    ...(softwareVersion !== '' && { softwareVersion }),
  };
}

/** What a person agreed to, beside the name: it changes where a code can go and who can use it. */
export function digestOf(client: ClientMetadata, secretHash: string): string {
  const { redirectUris, method, jwks, jwksUri } = client;
  const told = { redirectUris: [...redirectUris].sort(), method, jwks, jwksUri, secretHash };
  return hash('sha256', comparableText(told), 'base64url');
}

function isMethod(text: string): text is ClientMethod {
  return clientMethods.some((method) => method === text);
}

function checkRedirects(uris: readonly string[], applicationType: string | undefined): void {
  if (uris.length > mostRedirects) {
    const message = `redirect_uris may name ${mostRedirects} addresses, not ${uris.length}`;
    throw new MetadataError('invalid_redirect_uri', message);
  }
  for (const uri of uris) {
    const problem = redirectProblem(uri) ?? typeProblem(uri, applicationType);
    if (problem === undefined) continue;
    const shown = JSON.stringify(uri.slice(0, 200));
    throw new MetadataError('invalid_redirect_uri', `the redirect ${shown} is refused: ${problem}`);
  }
}

/** A web application is reached over https alone (OpenID Connect registration, section 2). */
function typeProblem(uri: string, applicationType: string | undefined): string | undefined {
  return applicationType === 'web' && !uri.startsWith('https:')
    ? 'application_type is web, which takes https'
    : undefined;
}

function grantsOf(members: Members, { ignoresOthers }: MetadataRules): readonly string[] {
  const asked = listOf(members, 'grant_types') ?? ['authorization_code', 'refresh_token'];
  const foreign = asked.find((each) => !grantTypes.includes(each));
  if (foreign !== undefined && !ignoresOthers) {
    throw invalid(`grant_types may name ${grantTypes.join(', ')}`);
  }
  return asked.filter((each) => grantTypes.includes(each));
}

function keysOf(members: Members, method: ClientMethod): Pick<ClientMetadata, 'jwks' | 'jwksUri'> {
  const jwksUri = textOf(members, 'jwks_uri');
  const { jwks } = members;
  if (jwks !== undefined && jwksUri !== undefined) throw invalid('it has both jwks and jwks_uri');
  if (method !== 'private_key_jwt') return {};
  if (jwksUri !== undefined) return { jwksUri: fetchable(jwksUri) };
  if (!isObject(jwks)) throw invalid('private_key_jwt needs jwks or jwks_uri');
  try {
    return { jwks: parseKeySet(jwks) };
  } catch (error) {
    throw invalid(`jwks is no key set: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

/** An address of keys; whether it may be asked, and what is there, shows when they are needed. */
function fetchable(text: string): string {
  const { protocol, hostname, username, password, hash: fragment } = URL.parse(text) ?? {};
  const isFetched = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''));
  const isPlain = `${username}${password}${fragment}` === '';
  if (isFetched && isPlain && text.length <= longestUrl) return text;
  throw invalid('jwks_uri must be an https URL without a user name and a fragment');
}

function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 4096) throw invalid(`${name} must be a text`);
  return value;
}

function listOf(members: Members, name: string): readonly string[] | undefined {
  const value = members[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  const code = name === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  throw new MetadataError(code, `${name} must be a list of texts`);
}

/** A name as a page shows it: one line, without what turns text around or hides it. */
function clean(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 120);
}

function invalid(message: string): MetadataError {
  return new MetadataError('invalid_client_metadata', message);
}
