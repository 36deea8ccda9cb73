import { isLoopback } from '#contract/config/loopback';
import { OutboundError } from '#contract/house/outbound';

/**
 * Read the URL of a stranger: https, or http to this very machine where that is permitted.
 *
 * @throws OutboundError `refused`
 */
export function parseStrangerUrl(text: string, allowsInsecure: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw refused('it is no absolute URL');
  if (url.username !== '' || url.password !== '') throw refused('it holds a user name or password');
  if (url.protocol === 'https:') return url;
  if (url.protocol !== 'http:') throw refused(`its scheme is ${url.protocol}`);
  // Only an address that is written as one is known to be this machine's before it is looked up.
  if (allowsInsecure && isLoopback(url.hostname)) return url;
  throw refused('it is not https');
}

function refused(reason: string): OutboundError {
  return new OutboundError('refused', `the URL is refused: ${reason}`);
}
