import { isNearby } from '../../read/upgrade/nearby-host.ts';
import { FetchError } from './fetch-error.ts';
import { publicAddress } from './public-address.ts';

const redirects = [301, 302, 303, 307, 308];

/**
 * Where an answer sends on to; nothing where it does not. A name that all can reach leads to no
 * machine nearby: what stands there, such as the keys of a cloud, whoever named it did not mean. A
 * user and a password stay with the origin that they were given for.
 *
 * @throws FetchError
 */
export function redirectedTo(
  from: URL,
  statusCode: number,
  location: string | undefined,
): URL | undefined {
  if (!redirects.includes(statusCode) || location === undefined) return undefined;
  const to = URL.parse(location, from);
  if (to === null || !/^https?:$/.test(to.protocol)) {
    throw new FetchError(`${publicAddress(from)} sends on to what is no http address`);
  }
  if (isNearby(to.hostname) && !isNearby(from.hostname)) {
    const host = JSON.stringify(to.host.slice(0, 100));
    throw new FetchError(`${publicAddress(from)} sends on to ${host}, a machine nearby`);
  }
  const isOwn = to.origin === from.origin;
  to.username = isOwn ? from.username : '';
  to.password = isOwn ? from.password : '';
  return to;
}

/**
 * The base of what is relative in a description: where it was sent on to (RFC 3986, section 5.1.3) at its
 * own place, or to the same host by TLS. Another place may only store it, and is given no credential.
 */
export function standsAt(asked: URL, found: URL): URL {
  const isSecured =
    asked.protocol === 'http:' && found.protocol === 'https:' && found.hostname === asked.hostname;
  return found.origin === asked.origin || isSecured ? found : asked;
}
