import { ConfigError } from '#contract/config/config';
import { isObject } from '#contract/json';

/** Which workloads of an issuer get which scopes; `*` at the end of a subject stands for any rest. */
export interface WorkloadRule {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** An issuer whose assertions are taken here, and how far. */
export interface TrustedIssuer {
  readonly issuer: string;
  /** As people see it. */
  readonly name: string;
  /** Where its keys are; found by its metadata when absent. */
  readonly jwksUri: string | undefined;
  readonly algorithms: readonly string[];
  /** The clients that it may speak for; all when absent. */
  readonly clientIds: readonly string[] | undefined;
  /** The domains of which it may assert addresses; all when absent. */
  readonly domains: readonly string[] | undefined;
  readonly tenants: readonly string[] | undefined;
  /** How its people must have signed in (RFC 8176). */
  readonly amr: readonly string[];
  /** Whether people that are new here come to be known by its word. */
  readonly createsPeople: boolean;
  /** Scopes that its assertions can carry here at most; all that agents can have when absent. */
  readonly scopes: readonly string[] | undefined;
  readonly workloads: readonly WorkloadRule[];
}

const variable = 'SERVICE_TRUSTED_ISSUERS';
const algorithms = ['ES256', 'EdDSA', 'RS256', 'PS256'];
const known = [
  ...['issuer', 'name', 'jwks_uri', 'algorithms', 'client_ids', 'domains', 'tenants', 'amr'],
  ...['creates_people', 'scopes', 'workloads'],
];

/**
 * Read whom the operator trusts: a JSON array.
 *
 * @throws ConfigError
 */
export function parseTrustedIssuers(text: string | undefined): ReadonlyMap<string, TrustedIssuer> {
  const issuers = new Map<string, TrustedIssuer>();
  if (text === undefined) return issuers;
  for (const [index, entry] of parseList(text).entries()) {
    const issuer = readIssuer(entry, `at place ${index}`);
    if (issuers.has(issuer.issuer)) fail(`one entry for ${issuer.issuer}`);
    issuers.set(issuer.issuer, issuer);
  }
  return issuers;
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  return fail('a JSON array of issuers');
}

function readIssuer(entry: unknown, place: string): TrustedIssuer {
  if (!isObject(entry)) return fail(`an object ${place}`);
  const foreign = Object.keys(entry).find((name) => !known.includes(name));
  if (foreign !== undefined) fail(`the members ${known.join(', ')} ${place}, not ${foreign}`);
  const { issuer, name, jwks_uri: jwksUri, creates_people: createsPeople = false } = entry;
  if (typeof issuer !== 'string' || URL.parse(issuer) === null)
    return fail(`the URL of an issuer ${place}`);
  if (jwksUri !== undefined && typeof jwksUri !== 'string')
    return fail(`a URL as jwks_uri ${place}`);
  if (typeof createsPeople !== 'boolean') return fail(`true or false as creates_people ${place}`);
  const asked = names(entry, 'algorithms', place) ?? algorithms;
  const weak = asked.find((each) => !algorithms.includes(each));
  if (weak !== undefined) fail(`algorithms among ${algorithms.join(', ')} ${place}`);
  return {
    issuer,
    name: typeof name === 'string' ? name : new URL(issuer).host,
    jwksUri,
    algorithms: asked,
    clientIds: names(entry, 'client_ids', place),
    domains: names(entry, 'domains', place)?.map((domain) => domain.toLowerCase()),
    tenants: names(entry, 'tenants', place),
    amr: names(entry, 'amr', place) ?? [],
    createsPeople,
    scopes: names(entry, 'scopes', place),
    workloads: readWorkloads(entry['workloads'], place),
  };
}

function readWorkloads(value: unknown, place: string): readonly WorkloadRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return fail(`an array as workloads ${place}`);
  return value.map((rule: unknown) => {
    const subject = isObject(rule) ? rule['subject'] : undefined;
    if (!isObject(rule) || typeof subject !== 'string' || subject === '') {
      return fail(`a subject in each of workloads ${place}`);
    }
    return { subject, scopes: names(rule, 'scopes', place) ?? [] };
  });
}

function names(entry: Record<string, unknown>, name: string, place: string) {
  const value = entry[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  return fail(`a list of texts as ${name} ${place}`);
}

function fail(expected: string): never {
  throw new ConfigError([{ variable, expected }]);
}
