/** Removes from a text what must not leave this process. */
export type Scrub = (text: string) => string;

/**
 * Build the function that masks a credential which its vendor repeats in a good answer, in the JSON
 * text of a result. A short text could be any word, and stays.
 */
export function createMask(secrets: readonly string[]): Scrub {
  const forms = formsOf(secrets.filter((secret) => secret.length >= shortestMasked));
  const known = longestFirst(forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]));
  return (text) =>
    known.reduce(
      (masked, part) => (masked.includes(part) ? masked.replaceAll(part, '[redacted]') : masked),
      text,
    );
}

const shortestMasked = 12;

/** In how many ways a text can repeat a secret. */
function formsOf(secrets: readonly string[]): readonly string[] {
  return secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]);
}

/** A shorter form may be a part of a longer one. */
function longestFirst(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

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
  const known = longestFirst([...formsOf(secrets), ...hosts]);
  return (text) => {
    let clean = text.replace(invisible, ' ');
    for (const part of known) clean = clean.replaceAll(part, '[redacted]');
    return clean
      .replace(credentialInText, '$1 [redacted]')
      .replace(internalHost, '[internal host]');
  };
}
