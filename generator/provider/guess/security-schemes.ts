import { isObject } from '#contract/json';
import { isOfMessage } from '#contract/text/field-value';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import { wordsOf } from '../../model/texts/names.ts';
import { meantAuthorization } from '../../read/repair/meant-authorization.ts';
import { isCredentialName } from './credential-names.ts';
import { prefixIn } from './key-prefix.ts';
import { pathBehindPlaceholder } from './server-placeholders.ts';

type Node = Readonly<Record<string, unknown>>;

/** How a credential travels, and what a person should know of it. */
export interface ReadScheme {
  readonly auth: CuratedAuth;
  readonly note?: string;
  /** Whether it is that of operators, or on its way out. */
  readonly isSeldom?: boolean;
}

/** Whether a scheme is that of operators, or the description says that it is on its way out. */
export function isSeldom(title: string, { name, description }: Node): boolean {
  return (
    [title, String(name ?? '')].some((each) =>
      wordsOf(each).some((word) => /^(?:admin|internal|root)$/i.test(word)),
    ) || /\bdeprecated\b/i.test(String(description ?? ''))
  );
}

/** Schemes of HTTP that are worked out from each request, or no text beside their name (RFC 9110 section 16.4). */
const negotiated =
  /^(?:digest|negotiate|ntlm|mutual|hoba|vapid|dpop|scram-.*|signature|(?:.*[-_])?hmac(?:[-_].*)?|aws4?(?:[-_].*)?|edgegrid|eg1.*)$/i;

/** What a header or a cookie may be called (RFC 9110 section 5.1, RFC 6265 section 4.1.1), and a parameter. */
const fieldName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const queryName = /^[^\p{Cc}]+$/u;

/**
 * Read a security scheme object (OpenAPI 3.1, 4.8.27); nothing for what no text can carry.
 *
 * @param hints other texts that may tell the word before the credential
 */
export function readScheme(
  scheme: Node,
  env: readonly string[],
  hints: readonly string[],
): ReadScheme | undefined {
  switch (scheme['type']) {
    case 'http':
      if (isTicket(scheme)) return undefined;
      return httpScheme(String(scheme['scheme']), env, [
        String(scheme['description'] ?? ''),
        ...hints,
      ]);
    case 'apiKey': {
      const { place, written } = placeOfKey(scheme) ?? {};
      if (written === undefined) return undefined;
      if (place !== 'header' && place !== 'query' && place !== 'cookie') return undefined;
      const meant = place === 'header' ? meantAuthorization(written) : undefined;
      if (meant === 'bearer') return { auth: { type: 'bearer', env, required: true } };
      const name = meant === undefined ? written : 'Authorization';
      if (place === 'header' && isOfMessage(name)) return undefined;
      if (isSigned(scheme) || !(place === 'query' ? queryName : fieldName).test(name)) {
        return undefined;
      }
      const texts = [String(scheme['description'] ?? ''), ...hints];
      return keyIn(place, name, texts, env);
    }
    case 'oauth2':
      return { auth: { type: 'bearer', env, required: true }, ...tokenNote(scheme, env) };
    case 'openIdConnect':
      return { auth: { type: 'bearer', env, required: true } };
    default:
      return undefined;
  }
}

/** What a gateway calls a key that a function of its owner looks for, and where that function is told to look. */
const unnamed = 'Unused';
const looking = /\bmethod\.request\.(header|querystring)\.([\w-]+)/g;

/** Where a key travels, and what it is called there; nothing where only a function behind a gateway knows. */
function placeOfKey(scheme: Node) {
  const written = String(scheme['name']).trim();
  const { 'x-amazon-apigateway-authorizer': authorizer } = scheme;
  if (written !== unnamed || !isObject(authorizer)) return { place: scheme['in'], written };
  const [only, ...others] = String(authorizer['identitySource'] ?? '').matchAll(looking);
  if (only === undefined || others.length > 0) return undefined;
  const [, kind, name = ''] = only;
  return { place: kind === 'header' ? 'header' : 'query', written: name };
}

/**
 * What one call of the vendor gives for another: a text that says that it serves once, or an upload, and
 * who gives it. Services whose own keys are called so do not say that.
 */
const ticket =
  /\b(?:one[- ]time|single[- ]use)(?: \w+)? (?:ticket|token)\b|\bupload (?:ticket|token)\b.{0,60}\b(?:created|given|issued|obtained|received|returned)\b/is;

function isTicket({ description }: Node): boolean {
  return ticket.test(String(description ?? ''));
}

/**
 * Whether a header or parameter is worked out from each request, or got for it: no text that is set once is right.
 * Gateways of one kind say it in a keyword of theirs, others in its name, what is said of it, or a
 * pattern with the parts of a signature.
 */
export function isSigned(scheme: Node): boolean {
  const gateway = String(scheme['x-amazon-apigateway-authtype'] ?? '');
  const name = String(scheme['name']);
  // What is said beside a key is said of other headers.
  const isKey = isCredentialName(name) && !/^authorization$/i.test(name);
  const text = isKey ? '' : String(scheme['description'] ?? '');
  return (
    /^awsSigv4$/i.test(gateway) ||
    /(?:^|[-_])(?:signature|hmac)$/i.test(name) ||
    /\bHMAC\b|\bAWS4-|\bSigV4\b|\bHTTP Signatures?\b/i.test(text) ||
    digested.test(text) ||
    /\bsignature\W{0,3}=/i.test(String(scheme['pattern'] ?? '')) ||
    isTicket(scheme)
  );
}

/** How texts say that a hash is made of a secret and of what changes: the time, the address, the body. */
const digested =
  /\b(?:MD5|SHA-?\d{1,3})(?: \w+)? (?:digest|hash|signature|sum)\b.{0,40}\b(?:computed|from|of)\b|\b(?:MD5|SHA-?\d{1,3}) (?:digest|hash) of\b/is;

/** How operators come to a token where no person logs in: nothing here asks for one (RFC 6749, 4.3 and 4.4). */
function tokenNote({ flows }: Node, env: readonly string[]): { readonly note?: string } {
  const known = isObject(flows) ? flows : {};
  const { clientCredentials: client, password } = known;
  const isForPeople = known['authorizationCode'] !== undefined || known['implicit'] !== undefined;
  const flow = client ?? password;
  if (isForPeople || !isObject(flow)) return {};
  const from = publicUrl(flow['tokenUrl']);
  const by =
    client === undefined
      ? 'a user and password (grant_type=password)'
      : 'your client id and secret (grant_type=client_credentials)';
  const note = `${env[0]} holds an access token, which nothing here asks for: get one${from} with ${by}, and a new one when it has ended`;
  return { note };
}

/** An address that is safe to show, without a user; below a host that only a deployment knows, its path. */
function publicUrl(text: unknown): string {
  const written = String(text ?? '');
  const path = pathBehindPlaceholder(written);
  const url = URL.parse(path === undefined ? written : `https://own.example${path}`);
  if (!url || !/^https?:$/.test(url.protocol)) return '';
  return path === undefined
    ? ` at ${url.origin}${url.pathname}`
    : ` at ${url.pathname} of your server`;
}

/** A text that says that the key is the user, without a password, or shows it: `curl -u key_xxx:`. */
const keyIsUser =
  /\b(?:key|token)\b[^.]{0,80}\bas (?:the |your )?(?:basic auth(?:entication)? )?user ?name\b|\buser ?name\b(?:(?!\b(?:and|or|password)\b)[^.]){0,40}\b(?:api|secret|access) (?:key|token)\b|(?<!\S)-u ["'`]?[\w<{$-]+[}>]?:["'`]?(?!\S)/i;

/** What vendors call the user and the password of machines. */
const userPart =
  '(?:user ?name|(?:(?:access|account|api|app|application|client|consumer|public) )+(?:id|identifier|key|sid))';
const secretPart =
  '(?:(?:access|account|api|app|application|auth|authentication|client|consumer|private|secret) )*(?:private key|secret(?: key)?|(?<=(?:api|access) )key|token)';
const article = '(?:an?|the|your) ';

/** One behind the other: "access key and secret key", `client_id:client_secret`, "key as user name, secret as password". */
const namedPair = new RegExp(
  String.raw`\b(${userPart})\b(?: (?:as|for|is) (?:${article})?user ?name,? (?:and )?|,? and | ?: ?)(?:${article})?(${secretPart})\b(?! (?:is|for|as) (?:${article})?user ?name)`,
);
const pairByPart = new RegExp(
  String.raw`\buser ?name (?:is |[:=] ?)(?:${article})?(${userPart})\b.{0,20}\bpassword (?:is |[:=] ?)?(?:${article})?(${secretPart})\b`,
);

/** What a vendor calls the two, where some text says it: "access key:secret key". */
function pairIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const plain = text
      .replaceAll(/_(?=[a-z]+[A-Z])/g, ':')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .replaceAll(/[^\p{L}\p{N},:=.]+/gu, ' ')
      .toLowerCase();
    const [, user, secret] = pairByPart.exec(plain) ?? namedPair.exec(plain) ?? [];
    if (user !== undefined && user !== secret) return `${user}:${secret}`;
  }
  return undefined;
}

/** A text on all of the service speaks of other keys, too. */
const saidOfBasic = /\bbasic\b.{0,200}/is;

/** @param texts what is said of the scheme, its title and others */
function httpScheme(
  scheme: string,
  env: readonly string[],
  texts: readonly string[],
): ReadScheme | undefined {
  if (/^bearer$/i.test(scheme)) return { auth: { type: 'bearer', env, required: true } };
  if (/^basic$/i.test(scheme)) return basicScheme(env, texts);
  if (negotiated.test(scheme) || !/^[\w-]{1,30}$/.test(scheme)) return undefined;
  const place = { in: 'header', name: 'Authorization', format: `${scheme} {token}` } as const;
  return { auth: { type: 'api_key', ...place, env, required: true } };
}

function basicScheme(env: readonly string[], [own = '', ...hints]: readonly string[]): ReadScheme {
  const isKey = keyIsUser.test(own) && pairIn([own]) === undefined;
  const format = isKey ? '{token}:' : '{token}';
  const auth: CuratedAuth = { type: 'basic', format, env, required: true };
  if (isKey) return { auth, note: `${env[0]} holds a key that is the user, without a password` };
  const near = hints.map((text) =>
    text.includes(' ') ? (saidOfBasic.exec(text)?.[0] ?? '') : text,
  );
  const pair = pairIn([own, ...near]);
  if (pair !== undefined) return { auth, note: `${env[0]} holds ${pair}, the user and password` };
  const note = `${env[0]} holds user:password; where a key is the user alone, write {token}: into format`;
  return { auth, note };
}

/** A key, with the word before it where a text shows one (`Authorization: Token ...`). */
export function keyIn(
  place: 'header' | 'query' | 'cookie',
  name: string,
  texts: readonly string[],
  env: readonly string[],
): ReadScheme {
  const isScheme = place === 'header' && /(?:^|[-_])authorization$/i.test(name);
  const found = isScheme ? texts.map(prefixIn).find((each) => each !== undefined) : undefined;
  const prefix = found === '' ? undefined : found;
  if (prefix !== undefined && /^basic$/i.test(prefix)) return basicScheme(env, [texts.join(' ')]);
  const before = prefix?.endsWith('=') ? prefix : `${prefix} `;
  const format = prefix === undefined ? '{token}' : `${before}{token}`;
  const auth: CuratedAuth = { type: 'api_key', in: place, name, format, env, required: true };
  if (!isScheme || found === '') return { auth };
  const note =
    prefix === undefined
      ? 'where the vendor wants a word before the key, such as Bearer, write it into format'
      : `the text of the description says ${prefix}`;
  return { auth, note };
}
