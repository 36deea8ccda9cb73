import { invalidClient, oauthRefusal } from './client-errors.ts';

/** What a request says of the client that sends it. */
export interface ClientProof {
  readonly id: string | undefined;
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  readonly secret?: string;
  readonly assertion?: string;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

type Form = Readonly<Record<string, unknown>>;

/**
 * Read who sends a form, and how it proves that (RFC 6749 section 2.3, RFC 7521 section 4.2).
 *
 * @throws ServiceError `invalid_client`, or `invalid_request` where it proves it in two ways
 */
export function readClientProof(form: Form, authorization: unknown): ClientProof {
  const id = textOf(form, 'client_id');
  const secret = textOf(form, 'client_secret');
  const assertion = textOf(form, 'client_assertion');
  const basic = parseBasic(authorization);
  const ways = [basic, secret, assertion].filter((each) => each !== undefined);
  if (ways.length > 1) {
    throw oauthRefusal('invalid_request', 'a client proves itself in one way, not in several');
  }
  if (basic) {
    if (id !== undefined && id !== basic.id) {
      throw oauthRefusal('invalid_request', 'client_id is another one than that of Authorization');
    }
    return { ...basic, method: 'client_secret_basic' };
  }
  if (assertion !== undefined) {
    if (textOf(form, 'client_assertion_type') !== assertionType) {
      throw invalidClient(`client_assertion_type must be ${assertionType}`);
    }
    return { id, method: 'private_key_jwt', assertion };
  }
  if (secret !== undefined) return { id, method: 'client_secret_post', secret };
  return { id, method: 'none' };
}

function parseBasic(authorization: unknown): { id: string; secret: string } | undefined {
  if (typeof authorization !== 'string') return undefined;
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidClient('Authorization holds no client_id and secret', true);
  try {
    // Both are written as in a form (RFC 6749 section 2.3.1).
    return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
  } catch {
    throw invalidClient('Authorization is not written as RFC 6749 section 2.3.1 asks for', true);
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function textOf(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
