/** Names of members that hold secrets, whatever their value looks like; compared without case and `-_`. */
const secretNames = new Set([
  'authorization',
  'cookie',
  'setcookie',
  'password',
  'passphrase',
  'secret',
  'clientsecret',
  'apikey',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'token',
  'privatekey',
  'credential',
  'credentials',
  'cardnumber',
  'cvc',
  'cvv',
]);

/** What secrets look like that are found anywhere in a text. */
const shapes: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/],
  ['a private key', /PRIVATE\+KEY\+/],
  ['a JSON Web Token', /\beyJ[\w-]{8,}\.[\w-]{8,}\./],
  ['an authorization header', /\b(?:bearer|basic) (?=\S{0,64}[\d=])[\w.~+/=-]{16,}/i],
  [
    'an API key',
    /\b(?:[sr]k_(?:live|test)_|sk-[\w-]{0,16}|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AIza|lin_api_|ntn_)[\w-]{16,}/,
  ],
  ['an access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a URL with a password', /:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@/],
  ['an e-mail address', /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.[a-z]{2,}/i],
];

/** One look for whatever any of the shapes needs, so that plain texts cost one scan. */
const suspicious =
  /-----BEGIN|KEY\+|eyJ|bearer|basic|[sr]k[_-]|gh[pousr]_|github_pat|glpat|xox|AIza|lin_api|ntn_|AKIA|ASIA|@|\d[\d -]{11}/i;

/** Say what secret `text` seems to hold, if any: secrets are refused, never stored and masked. */
export function secretIn(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  const shape = shapes.find(([, pattern]) => pattern.test(text));
  if (shape !== undefined) return shape[0];
  return hasCardNumber(text) ? 'a card number' : undefined;
}

/** Whether a member of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.replace(/[-_]/g, '').toLowerCase());
}

/** 13 to 19 digits as cards have them, in one run or in groups of four, with the right check digit. */
function hasCardNumber(text: string): boolean {
  const runs = text.match(
    /(?<![\w.-])[3-6](?:\d{12,18}|\d{3}(?:[ -]\d{4}){3}|\d{3}[ -]\d{6}[ -]\d{5})(?![\w.-])/g,
  );
  return runs?.some((run) => passesLuhn(run.replace(/[ -]/g, ''))) ?? false;
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
