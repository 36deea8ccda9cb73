import { ServiceError } from '#contract/errors';
import type { Addresses } from '../addresses.ts';
import type { OAuthClient } from '../clients/client.ts';
import { MetadataError } from '../clients/client-metadata.ts';
import type { Clients } from '../clients/clients.ts';
import { isLoopbackRedirect } from '../clients/redirect-uri.ts';
import { codeMs, consentMs, pushedRequestMs } from '../numbers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Person } from '../people/person.ts';
import type { AuthorizationRequestRecords } from '../records/authorization-requests.ts';
import type { CodeRow, GrantRecords } from '../records/grants.ts';
import type { Place } from '../records/place.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import { type Answer, answerUrl } from './answer.ts';
import {
  type AuthorizationRequest,
  checkRequest,
  type RequestParameters,
  type RequestRules,
  redirectOf,
  unusableRequest,
} from './authorization-request.ts';

export interface AuthorizationParts {
  readonly clients: Clients;
  readonly grants: GrantRecords;
  readonly requests: AuthorizationRequestRecords;
  readonly addresses: Addresses;
  readonly rules: RequestRules;
  readonly outbox: Outbox;
  readonly place: Pick<Place, 'store'>;
  readonly now: () => number;
}

/** A request that waits for a person, and the client that has sent it. */
export interface Waiting {
  readonly request: AuthorizationRequest;
  readonly client: OAuthClient;
}

/** What is kept of a request, whoever it is of. */
type Waits = { readonly client: string } & (AuthorizationRequest | RequestParameters);

const pushedPrefix = 'urn:ietf:params:oauth:request_uri:';

/** Lets people give clients access (RFC 6749 section 4.1, OAuth 2.1 section 4.1). */
export class Authorization {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  /**
   * Take a request of a client; gives where the browser goes: to the page that asks, or back.
   *
   * @throws ServiceError for what must not be sent to any redirect
   */
  async begin(parameters: RequestParameters): Promise<string> {
    const { addresses } = this.#parts;
    const asked = await this.#pushed(parameters);
    const client = await this.#client(asked.client_id);
    const redirectUri = redirectOf(client, asked.redirect_uri);
    try {
      const checked = checkRequest(asked, client, this.#parts.rules);
      const namedRedirect = asked.redirect_uri !== undefined;
      const key = await this.#keep('asked', { ...checked, redirectUri, namedRedirect }, consentMs);
      return addresses.url(`/oauth2/consent?request=${key}`);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      const answer = { error: error.code, error_description: error.message };
      return this.#answer({ redirectUri, state: asked.state }, answer);
    }
  }

  /**
   * Keep a request that a client pushes (RFC 9126 section 2).
   *
   * @throws ServiceError as the token endpoint tells it
   */
  async push(parameters: RequestParameters, client: OAuthClient): Promise<string> {
    if (parameters.request_uri !== undefined) {
      throw unusableRequest('request_uri has no place in a request that is pushed');
    }
    redirectOf(client, parameters.redirect_uri);
    checkRequest(parameters, client, this.#parts.rules);
    const asked = { ...parameters, client_id: client.id, client: client.id };
    return `${pushedPrefix}${await this.#keep('pushed', asked, pushedRequestMs)}`;
  }

  /** The request behind a key that still waits, with its client as it is now. */
  async waiting(key: string): Promise<Waiting | undefined> {
    const row = await this.#parts.requests.find(secretHash(key));
    if (row?.kind !== 'asked') return undefined;
    const request: AuthorizationRequest = JSON.parse(row.parameters);
    return { request, client: await this.#client(request.client) };
  }

  /** Whether this person has allowed just that before, to a client that nobody can pass for. */
  async isAllowed({ request, client }: Waiting, person: Person): Promise<boolean> {
    if (client.kind === 'dynamic' || !request.redirectUri.startsWith('https:')) return false;
    if (isLoopbackRedirect(request.redirectUri)) return false;
    const grant = await this.#parts.grants.standing({
      client: client.id,
      user: person.id,
      resource: request.resource,
      clientDigest: client.digest,
    });
    const allowed: readonly string[] = grant ? JSON.parse(grant.scopes) : [];
    return request.scopes.every((scope) => allowed.includes(scope));
  }

  /** End a request with an error; gives where the browser goes, to nobody but who is first. */
  async refuse(key: string, waiting: Waiting, answer: Answer): Promise<string | undefined> {
    const taken = await this.#parts.requests.take(secretHash(key));
    return taken && this.#answer(waiting.request, answer);
  }

  /** Note that a person says no; gives where the browser goes. */
  async deny(key: string, waiting: Waiting, person: Person): Promise<string | undefined> {
    const { requests, outbox, place } = this.#parts;
    const { request } = waiting;
    const isFirst = await place.store.transaction(async (tx) => {
      if (!(await requests.take(secretHash(key), tx))) return false;
      const note = noteOf(waiting, person, request.scopes);
      await outbox.add({ action: 'CONSENT_REFUSED', ...note }, tx);
      return true;
    });
    if (!isFirst) return undefined;
    outbox.wake();
    const answer = { error: 'access_denied', error_description: 'the person has said no' };
    return this.#answer(request, answer);
  }

  /** Give the client a code for what a person allows; gives where the browser goes. */
  async allow(
    key: string,
    waiting: Waiting,
    person: Person,
    allowed: readonly string[],
  ): Promise<string | undefined> {
    const { requests, grants, clients, now, outbox, place } = this.#parts;
    const { request, client } = waiting;
    const code = makeSecret('oac');
    const at = now();
    const consent = {
      ...{ id: makeSecret('grt'), client: client.id, user: person.id, allowed },
      clientName: client.name,
      ...{ resource: request.resource, clientDigest: client.digest },
      refused: request.scopes.filter((scope) => !allowed.includes(scope)),
    };
    const codeOf = (grant: string): CodeRow => ({
      ...{ hash: secretHash(code), grant, client: client.id },
      redirect_uri: request.namedRedirect ? request.redirectUri : '',
      ...{ challenge: request.challenge, resource: request.resource, jkt: request.jkt },
      ...{ scopes: JSON.stringify(allowed), amr: JSON.stringify(person.amr) },
      ...{ auth_time: person.authTime, created_at: at, expires_at: at + codeMs, used_at: null },
    });
    const isFirst = await place.store.transaction(async (tx) => {
      if (!(await requests.take(secretHash(key), tx))) return false;
      await grants.consent(consent, codeOf, tx);
      await clients.keep(client, tx);
      await outbox.add({ action: 'CONSENT_GIVEN', ...noteOf(waiting, person, allowed) }, tx);
      return true;
    });
    if (!isFirst) return undefined;
    outbox.wake();
    return this.#answer(request, { code });
  }

  #answer(request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>, answer: Answer): string {
    const issuer = this.#parts.addresses.base();
    return answerUrl(request.redirectUri, { answer, state: request.state, issuer });
  }

  async #keep(kind: 'asked' | 'pushed', parameters: Waits, lifetimeMs: number): Promise<string> {
    const { requests, now } = this.#parts;
    const key = makeSecret('oar');
    await requests.insert({
      ...{ hash: secretHash(key), kind, client: parameters.client },
      parameters: JSON.stringify(parameters),
      ...{ created_at: now(), expires_at: now() + lifetimeMs },
    });
    return key;
  }

  /** The request that was pushed before, in place of the one that names it; it is taken once. */
  async #pushed(parameters: RequestParameters): Promise<RequestParameters> {
    const { request_uri: uri, client_id: client } = parameters;
    if (uri === undefined) return parameters;
    const key = uri.startsWith(pushedPrefix) ? uri.slice(pushedPrefix.length) : '';
    const { requests } = this.#parts;
    const row = await requests.find(secretHash(key));
    // Nobody uses up what another client has pushed.
    const isOwn = row?.kind === 'pushed' && row.client === client;
    if (!isOwn || !(await requests.take(secretHash(key)))) {
      throw unusableRequest('request_uri is unknown, was used, or has expired');
    }
    return JSON.parse(row.parameters);
  }

  async #client(id: string | undefined): Promise<OAuthClient> {
    if (id === undefined) throw unusableRequest('client_id is missing');
    try {
      const client = await this.#parts.clients.find(id);
      if (client) return client;
    } catch (error) {
      if (error instanceof MetadataError) throw unusableRequest(error.message);
      throw error;
    }
    throw unusableRequest('client_id is not known here');
  }
}

/** What is written down of a decision. */
function noteOf({ request, client }: Waiting, person: Person, scopes: readonly string[]) {
  const subject = client.id.slice(0, 500);
  const scope = scopes.join(' ').slice(0, 2000);
  const actor = { type: 'user', id: person.id } as const;
  return { actor, subject, payload: { client: subject, resource: request.resource, scope } };
}
