import { type BackEndRules, OutboundError } from '#contract/house/outbound';

/** The URL of a back end and what it leads to. */
export interface BackEndUrl {
  readonly url: URL;
  /** In lower case, without brackets and without a dot at its end. */
  readonly host: string;
  readonly port: number;
}

/**
 * Read the URL of a back end. WHATWG URL has written addresses in octal, hexadecimal and as one number
 * in their usual form, and names in ASCII.
 *
 * @throws OutboundError `refused`
 */
export function readBackEndUrl(text: string, { ports, refusedPorts }: BackEndRules): BackEndUrl {
  const url = URL.parse(text);
  if (url === null) throw refused('it is no absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(`its scheme is ${url.protocol.slice(0, 40)} and neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') throw refused('it holds a user name or password');
  if (url.hash !== '') throw refused('it has a fragment');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (host === '') throw refused('it names no host');
  const usual = url.protocol === 'https:' ? 443 : 80;
  const port = url.port === '' ? usual : Number(url.port);
  if (port === 0) throw refused('nothing listens at port 0');
  if (refusedPorts.includes(port)) throw refused(`port ${port} is one of the collector's own`);
  if (ports !== 'any' && !ports.includes(port)) {
    throw refused(
      `port ${port} is none of those that back ends may have (SERVICE_OBSERVABILITY_ENDPOINT_PORTS)`,
    );
  }
  return { url, host, port };
}

/** An error that tells an operator why a URL cannot be used. */
export function refused(reason: string): OutboundError {
  return new OutboundError('refused', reason);
}
