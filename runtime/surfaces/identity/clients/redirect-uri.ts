import { isLoopback } from '#contract/config/loopback';
import { longestUrl } from '../numbers.ts';

/** Schemes that run code, read files or carry a code to whoever listens on the way. */
const refused = new Set([
  ...['http:', 'javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'],
  ...['view-source:', 'ws:', 'wss:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'intent:', 'jar:'],
]);

/**
 * Why an address must not get an authorization code; nothing where it may. It is https, http to
 * the machine of the user, or a scheme of an installed application (RFC 8252 section 7).
 */
export function redirectProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'it is no absolute URL';
  if (text.length > longestUrl) return `it is longer than ${longestUrl} characters`;
  // Browsers drop or turn such characters; what is compared must be what is gone to.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\'))
    return 'it holds characters that no URL has';
  if (text.includes('#')) return 'it has a fragment';
  if (url.username !== '' || url.password !== '') return 'it holds a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return refused.has(url.protocol) ? `${url.protocol} is not permitted here` : undefined;
}

/** Whether a redirect leads to the machine of the user itself, where any program may listen. */
export function isLoopbackRedirect(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'http:' && isLoopback(url.hostname);
}

/**
 * Whether a client has registered the address: to the letter, but for the port of a program that
 * listens on the machine of its user (RFC 8252 section 7.3).
 */
export function fitsRedirect(registered: readonly string[], asked: string): boolean {
  if (redirectProblem(asked) !== undefined) return false;
  if (registered.includes(asked)) return true;
  const portless = withoutLoopbackPort(asked);
  return (
    portless !== undefined && registered.some((each) => withoutLoopbackPort(each) === portless)
  );
}

function withoutLoopbackPort(text: string): string | undefined {
  const match =
    /^http:\/\/(127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d{1,5})?(?=$|[/?])(.*)$/.exec(text);
  return match ? `${match[1]} ${match[2]}` : undefined;
}
