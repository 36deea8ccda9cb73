import type { ConnectionOptions } from '@nats-io/transport-node';
import { credsAuthenticator } from '@nats-io/transport-node';

/** How to reach NATS, as the operator says it. */
export interface NatsAddress {
  /** `nats://` or `tls://` addresses with commas between them, all of one cluster. */
  readonly url: string;
  /** Text of a credentials file (JWT and seed of a user). */
  readonly credentials?: string | undefined;
  /** Certificates, in PEM, of those who may have signed that of the server. */
  readonly certificateAuthority?: string | undefined;
}

const protocols = ['nats:', 'tls:'];

/**
 * The options of the client for an address.
 *
 * @throws TypeError that says what is wrong with it, without repeating what may be a password
 */
export function connectionOptions(address: NatsAddress): ConnectionOptions {
  const urls = address.url.split(',').map((text) => parse(text.trim()));
  const [first] = urls;
  if (first === undefined) throw new TypeError('expected nats://HOST:PORT');
  const others = urls.slice(1).filter((url) => url.username !== '' && !isSameUser(url, first));
  if (others.length > 0) throw new TypeError('all servers must have the same user and password');
  const isEncrypted = urls.some(({ protocol }) => protocol === 'tls:');
  const { certificateAuthority: ca, credentials } = address;
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    ...userOf(first),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    ...((isEncrypted || ca !== undefined) && { tls: ca === undefined ? {} : { ca } }),
  };
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && protocols.includes(url.protocol) && url.hostname !== '') {
    if (['', '/'].includes(url.pathname) && url.search === '' && url.hash === '') return url;
  }
  throw new TypeError('expected nats://HOST:PORT or tls://HOST:PORT, several with commas between');
}

/** A user without a password is a token, as everywhere in NATS. */
function userOf({ username, password }: URL): ConnectionOptions {
  if (username === '') return {};
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

function isSameUser(a: URL, b: URL): boolean {
  return a.username === b.username && a.password === b.password;
}
