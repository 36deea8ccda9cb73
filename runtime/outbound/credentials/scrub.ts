/** Removes from a text what must not leave this process. */
export type Scrub = (text: string) => string;

/**
 * Build the function that masks a credential which its vendor repeats in a good answer, in a text of
 * it. A shorter one is masked where it stands alone and is no plain word or number, which could well
 * be something else.
 */
export function createMask(secrets: readonly string[]): Scrub {
  const long = longestFirst(formsOf(secrets.filter(({ length }) => length >= surelySecret)));
  const short = secrets.filter(
    (secret) =>
      secret.length >= shortestMasked && secret.length < surelySecret && isMixed.test(secret),
  );
  const alone = longestFirst(formsOf(short)).map(
    (form) => new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(form)}(?![A-Za-z0-9])`, 'g'),
  );
  const hidden = coresOf(secrets).filter(
    (core) => core.length >= surelySecret || short.includes(core),
  );
  const parts = longestFirst(formsOf(hidden));
  return (text) => {
    const masked = long.reduce((clean, part) => clean.replaceAll(part, '[redacted]'), text);
    const clean = alone.reduce((rest, form) => rest.replace(form, '[redacted]'), masked);
    return withoutParts(clean, parts);
  };
}

const surelySecret = 12;
const shortestMasked = 6;
/** Letters and digits, as in `hunter2`. */
const isMixed = /[A-Za-z].*\d|\d.*[A-Za-z]/;

/**
 * Those that hold no other one: what stands in a header before a token is no secret, nor is the user before a
 * password, whose name is in many a good answer. The same goes for what a key begins with that tells whose or
 * of which kind it is, and for an address of mail.
 */
function coresOf(secrets: readonly string[]): readonly string[] {
  const isAround = (secret: string) =>
    secrets.some((core) => core !== secret && core.length >= shortestForm && secret.includes(core));
  return secrets
    .filter((secret) => !isAround(secret) && !mailAddress.test(secret))
    .map((secret) => withoutLabel(secret));
}

/** One that comes with a key ends in the name of a host, which begins many a good text. */
const mailAddress = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i;

/** `123456789:` of an app or a bot, `acme_pat_`. */
const label = /^(?:.*[:|]|(?:(?:[a-z]{1,20}|[A-Z]{1,20})[_.-])+)/;

function withoutLabel(secret: string): string {
  const rest = secret.replace(label, '');
  return rest.length < surelySecret ? secret : rest;
}

/** So many characters of a secret are one where a text ends, or begins, in the middle of it. */
const shortestPart = 8;
/** The same before the mark of what was cut off. */
const shortestCut = 4;
const cutMark = '\u2026';

/**
 * Mask what is left of a secret in which a text was cut: its beginning at the end, and its end at the
 * beginning of the next part.
 */
function withoutParts(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    const isCut = clean.endsWith(cutMark);
    // Of a shorter one, what could be anything stays.
    if (!isCut && secret.length < surelySecret) continue;
    const end = isCut ? clean.length - cutMark.length : clean.length;
    const begun = lengthAtEnd(clean.slice(0, end), secret, isCut ? shortestCut : shortestPart);
    if (begun > 0) clean = `${clean.slice(0, end - begun)}[redacted]${clean.slice(end)}`;
    const left = lengthAtStart(clean, secret);
    if (left > 0) clean = `[redacted]${clean.slice(left)}`;
  }
  return clean;
}

/** How much of the beginning of `secret` stands at the end of `text`; 0 where it is less than `least`. */
function lengthAtEnd(text: string, secret: string, least: number): number {
  const start = secret.slice(0, least);
  const from = Math.max(0, text.length - secret.length);
  for (let at = text.indexOf(start, from); at >= 0; at = text.indexOf(start, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}

/** How much of the end of `secret` stands at the beginning of `text`. */
function lengthAtStart(text: string, secret: string): number {
  const end = secret.slice(-shortestPart);
  const head = text.slice(0, secret.length);
  for (
    let at = head.lastIndexOf(end);
    at >= 0;
    at = at === 0 ? -1 : head.lastIndexOf(end, at - 1)
  ) {
    const length = at + end.length;
    if (secret.endsWith(head.slice(0, length))) return length;
  }
  return 0;
}

/** Mask the texts, names and numbers of a value; the value itself where it holds nothing secret. */
export function maskedValue(value: unknown, mask: Scrub): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') {
    const text = mask(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, item]) => [mask(name), maskedValue(item, mask)]));
}

/** Shorter ones stand in too many words. */
const shortestForm = 4;

/** In how many ways a text can repeat a secret. */
function formsOf(secrets: readonly string[]): readonly string[] {
  return secrets
    .filter((secret) => secret.length >= shortestForm)
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
  const parts = formsOf(coresOf(secrets)).filter(({ length }) => length >= surelySecret);
  return (text) => {
    let clean = text.replace(invisible, ' ');
    for (const part of known) clean = clean.replaceAll(part, '[redacted]');
    return withoutParts(clean, parts)
      .replace(credentialInText, '$1 [redacted]')
      .replace(internalHost, '[internal host]');
  };
}
