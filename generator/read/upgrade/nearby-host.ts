/** A machine of one's own, one without a name, or a name that only its own network knows. */
export function isNearby(hostname: string): boolean {
  return /^([^.:]+|[\d.]+|\[.*\])$|\.(localhost|local|internal|test)$/.test(hostname);
}

/** The ports where TLS is spoken by custom. */
const securePort = /^8?443$/;

/**
 * The scheme of a host, perhaps with a port, that is named without one: TLS, but on a machine
 * nearby, which is where its author tries things out.
 */
export function usualScheme(host: string): 'http' | 'https' {
  const url = URL.parse(`http://${host}`);
  return url !== null && isNearby(url.hostname) && !securePort.test(url.port) ? 'http' : 'https';
}
