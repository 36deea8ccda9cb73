/** Names of members that hold secrets, whatever their value looks like: only as a whole. */
const secretNames = new Set(['token', 'credential']);

/**
 * Names that hold secrets as a whole, and at the end of a longer one: `AWS_SECRET_ACCESS_KEY`,
 * `dbPassword`. What only tells secrets apart is none (`key_id`, `secret_name`), nor is a key that
 * locks nothing (`public_key`, `idempotency_key`); the id of an access key is half of a credential.
 */
const secretEndings = new Set([
  ...['password', 'passwd', 'passphrase', 'passcode', 'passwordhash', 'secret', 'clientsecret'],
  ...[
    'secretkey',
    'secretaccesskey',
    'privatekey',
    'apikey',
    'accesskey',
    'accesskeyid',
    'accountkey',
    'sharedkey',
  ],
  ...['sharedaccesskey', 'subscriptionkey', 'serviceaccountkey', 'encryptionkey', 'masterkey'],
  ...['hmackey', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'apitoken', 'bearertoken'],
  ...['sessiontoken', 'securitytoken', 'sastoken', 'bottoken', 'sharedaccesssignature'],
  ...['connectionstring', 'credentials', 'authorization', 'cookie', 'setcookie'],
  ...['seedphrase', 'mnemonic', 'cardnumber', 'cvc', 'cvv'],
]);
const longestName = 100;
/** A part of each of them: most texts are done with this one look. */
const suspiciousName = /pass|secret|key|token|cred|cookie|auth|cv|card|sign|string|mnem|phrase/i;

/** What credentials look like that are found anywhere in a text. */
const credentials: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/],
  ['a private key', /PRIVATE\+KEY\+/],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.[\w-]{8,}\./],
  ['an authorization header', /\b(?:bearer|basic) (?=\S{0,64}[\d=])[\w.~+/=-]{16,}/i],
  [
    'an API key',
    /\b(?:[spr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|lin_api_)[\w-]{8,}/,
  ],
  [
    'an API key',
    /\b(?:sk-[\w-]{0,16}|AIza|ntn_|secret_(?=[A-Za-z0-9]{20})|SG\.[\w-]{16,64}\.|GOCSPX-|ya29\.)[\w-]{16,}/,
  ],
  ['an account key', /\b(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{40,}/i],
  ['a client secret', /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/],
  ['a signed URL', /[?&](?:X-Amz-Signature|X-Goog-Signature|sig)=[\w%+/=-]{32,}/i],
  ['an access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a URL with a password', /:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@/],
];

const emailAddress = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.[a-z]{2,}/i;

/** One look for whatever any of the shapes needs, so that plain texts cost one scan. */
const suspicious =
  /-----BEGIN|KEY\+|eyJ|bearer|basic|[spr]k[_-]|gh[pousr]_|github_pat|glpat|xox|AIza|lin_api|ntn_|secret_|SG\.|GOCSPX|ya29|AKIA|ASIA|Key=|\dQ~|Signature=|[?&]sig=|@|\d[\d -]{11}/i;

/** Say what credential `text` seems to hold, if any. */
export function credentialIn(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  return credentials.find(([, pattern]) => pattern.test(text))?.[0];
}

/**
 * Say what secret `text` seems to hold, if any: a credential, or what tells who a person is or pays
 * with. Secrets are refused, never stored and masked.
 */
export function secretIn(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  const credential = credentials.find(([, pattern]) => pattern.test(text))?.[0];
  if (credential !== undefined) return credential;
  if (emailAddress.test(text)) return 'an e-mail address';
  return hasCardNumber(text) ? 'a card number' : undefined;
}

/** A part of a text that holds a secret. */
export interface SecretPart {
  readonly start: number;
  readonly end: number;
  /** What it seems to be, for example `an API key`. */
  readonly what: string;
}

/** What belongs to a token beyond that by which it is known. */
const restOfToken = /[\w.~+/=%-]*/y;
/** A key in PEM (RFC 7468): its lines are long and without blanks, so that no sentence passes for one. */
const restOfPem =
  /(?:(?:\s|\\[rn])*[A-Za-z0-9+/=]{32,8192}(?![A-Za-z0-9+/=]))*(?:(?:\s|\\[rn])*[A-Za-z0-9+/=]{0,31}(?:\s|\\[rn])*-----END [A-Z ]{0,32}KEY-----)?/y;

/** Find the secrets in a text, in their order; what stands around them belongs to none of them. */
export function secretsIn(text: string): readonly SecretPart[] {
  if (!suspicious.test(text)) return [];
  const found = [
    ...credentials.flatMap(([what, pattern]) => partsOf(text, what, pattern)),
    ...cardNumbersIn(text),
  ].sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: SecretPart[] = [];
  for (const part of found) {
    if (part.start >= (parts.at(-1)?.end ?? 0)) parts.push(part);
  }
  return parts;
}

function partsOf(text: string, what: string, pattern: RegExp): readonly SecretPart[] {
  const everywhere = new RegExp(pattern.source, `g${pattern.flags}`);
  return Array.from(text.matchAll(everywhere), ({ 0: match, index }) => {
    const end = index + match.length;
    // The `@` and what follows is the host, which is no secret.
    if (what === 'a URL with a password') return { start: index + 3, end: end - 1, what };
    const lead = /^(?:[?&]?[\w-]+=|bearer |basic )/i.exec(match)?.[0].length ?? 0;
    const rest = match.endsWith('-----') ? restOfPem : restOfToken;
    rest.lastIndex = end;
    return { start: index + lead, end: end + (rest.exec(text)?.[0].length ?? 0), what };
  });
}

/** Of a card number, its first six and last four digits tell nobody how to pay with it (PCI DSS 3.4). */
function cardNumbersIn(text: string): readonly SecretPart[] {
  return Array.from(text.matchAll(cardLike))
    .filter(([run]) => passesLuhn(run.replace(/[ -]/g, '')))
    .map(({ 0: run, index }) => {
      const shown = /^(?:\d[ -]?){6}/.exec(run)?.[0].length ?? 0;
      return { start: index + shown, end: index + run.length - 4, what: 'a card number' };
    });
}

/** Whether a member of this name holds a secret; `accessKeyId` and `ACCESS_KEY_ID` are the same. */
export function isSecretName(name: string): boolean {
  if (!suspiciousName.test(name)) return false;
  const words = name.slice(-longestName).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const whole = words.join('').toLowerCase();
  if (secretNames.has(whole)) return true;
  let end = whole;
  for (const word of words) {
    if (secretEndings.has(end)) return true;
    end = end.slice(word.length);
  }
  return false;
}

const cardLike =
  /(?<![\w.-])[3-6](?:\d{12,18}|\d{3}(?:[ -]\d{4}){3}|\d{3}[ -]\d{6}[ -]\d{5})(?![\w.-])/g;

/** 13 to 19 digits as cards have them, in one run or in groups of four, with the right check digit. */
function hasCardNumber(text: string): boolean {
  return text.match(cardLike)?.some((run) => passesLuhn(run.replace(/[ -]/g, ''))) ?? false;
}

/** ISO/IEC 7812-1 annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.at(-1 - at));
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Whether an environment variable, by its name, holds what comes with a credential and is as secret. */
export function isSecretVariable(name: string): boolean {
  return /KEY|SECRET|TOKEN|PASS|AUTH|COOKIE|CREDENTIAL/.test(name);
}
