/** Removes from a text what must not leave this process. */
export type Scrub = (text: string) => string;

/** Addresses and names that only mean something inside a network (RFC 1918, RFC 6762, RFC 9476). */
const internalHost =
  /\b(?:localhost|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}|(?:[a-z0-9-]{1,63}\.){1,8}(?:internal|local|localdomain|lan|svc|intranet|corp))\b(?::\d{1,5})?/gi;

const credentialInText = /\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** Controls, and characters of format such as marks of direction, which can hide what a text says. */
const invisible = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Build the function that removes `secrets`, however they are encoded, and the names of internal
 * hosts, of which `hosts` are known.
 */
export function createScrub(secrets: readonly string[], hosts: readonly string[]): Scrub {
  const forms = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]);
  // The longest first: a shorter form may be a part of a longer one.
  const known = [...new Set([...forms, ...hosts])].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text.replace(invisible, ' ');
    for (const part of known) clean = clean.replaceAll(part, '[redacted]');
    return clean
      .replace(credentialInText, '$1 [redacted]')
      .replace(internalHost, '[internal host]');
  };
}
