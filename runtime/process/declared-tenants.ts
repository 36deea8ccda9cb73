import { type AuthMode, isReachedLocally } from '#contract/config/auth-mode';
import { ConfigError } from '#contract/config/config';
import { isObject } from '#contract/json';
import { defaultTenant, type Tenant } from '#contract/tenant/tenants';

/** A tenant as the operator declares it. */
export interface DeclaredTenant extends Omit<Tenant, 'address'> {
  /** The origin that is its own; without one it is reached under `/t/<id>` of the server. */
  readonly url: string | undefined;
}

const variable = 'SERVICE_TENANTS';
/** Each has keys, and work of its own that is done again and again. */
const mostTenants = 1000;
/** As a label of a host name: such an id can stand in paths, host names and subjects of a bus. */
const idForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;
const ways = ['oidc', 'email', 'dev', 'none'] as const;
const most = 1_000_000;

type Entry = Readonly<Record<string, unknown>>;
type Read<Value> = (entry: Entry, name: string, place: string) => Value | undefined;

/** The members of an entry, besides `id`, and what reads each. */
const members = {
  url: originIn,
  claim_auth: wayIn,
  oidc_issuer: urlIn,
  oidc_client_id: textIn,
  oidc_client_secret: textIn,
  oauth_clients: listIn,
  trusted_issuers: listIn,
  registrations_per_network: countIn,
  registrations_per_hour: countIn,
  email_domains: domainsIn,
} satisfies Record<string, Read<unknown>>;

/**
 * Read whom the operator lets share this server: a JSON array.
 *
 * @throws ConfigError with all that is wrong with it
 */
export function parseTenants(text: string | undefined): readonly DeclaredTenant[] {
  if (text === undefined) return [];
  const entries = parseList(text);
  if (entries.length > mostTenants) {
    fail(`at most ${mostTenants} tenants`, String(entries.length));
  }
  const tenants = entries.map((entry, index) => readTenant(entry, `at place ${index}`));
  requireDifferent(tenants.map(({ id }) => id));
  requireDifferent(tenants.flatMap(({ url }) => (url === undefined ? [] : [hostOf(url)])));
  return tenants;
}

/** What the tenants have to fit to. */
interface Around {
  readonly tenants: string | undefined;
  readonly baseUrl: string | undefined;
  readonly mcpPath: string;
  readonly host: string;
  readonly surfaces: { readonly identity: { readonly auth: AuthMode | undefined } };
}

/**
 * Refuse tenants that nobody, or whoever calls, could speak for.
 *
 * @throws ConfigError
 */
export function requireTenants({ tenants, baseUrl, mcpPath, host, surfaces }: Around): void {
  const declared = parseTenants(tenants);
  const hosts = hostsOf(declared);
  if (declared.length > hosts.length && mcpPath.startsWith('/t/')) {
    const expected = 'a path that does not begin with /t/, where tenants are';
    throw new ConfigError([{ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) }]);
  }
  const own = [baseUrl === undefined ? host : hostOf(baseUrl), 'localhost', '127.0.0.1', '[::1]'];
  const shadowed = hosts.find((url) => own.includes(hostOf(url)));
  if (shadowed !== undefined) fail('hosts other than those of the server itself', shadowed);
  const isOpen = hosts.some((url) => !isReachedLocally({ host, baseUrl: url }));
  if (surfaces.identity.auth !== 'local' || !isOpen) return;
  const expected =
    'required, because SERVICE_TENANTS has hosts that are no loopback addresses, and local takes whoever calls for the operator';
  throw new ConfigError([{ variable: 'SERVICE_AUTH', expected, received: 'local' }]);
}

/** The hosts that tenants have of their own, as URLs. */
export function hostsOf(tenants: readonly DeclaredTenant[]): readonly string[] {
  return tenants.flatMap(({ url }) => url ?? []);
}

/** The name of the host of a URL. */
export function hostOf(url: string): string {
  return new URL(url).hostname;
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  return fail('a JSON array of tenants');
}

function readTenant(entry: unknown, place: string): DeclaredTenant {
  if (!isObject(entry)) return fail(`an object ${place}`);
  const names = ['id', ...Object.keys(members)];
  const foreign = Object.keys(entry).find((name) => !names.includes(name));
  if (foreign !== undefined) {
    fail(`the members ${names.join(', ')} ${place}`, JSON.stringify(foreign.slice(0, 80)));
  }
  const { id } = entry;
  if (typeof id !== 'string' || !idForm.test(id) || id === defaultTenant) {
    return fail(
      `an id of small letters, digits and hyphens ${place}, not ${defaultTenant}`,
      shown(id),
    );
  }
  const read = <Name extends keyof typeof members>(name: Name) =>
    members[name](entry, name, place) as ReturnType<(typeof members)[Name]>;
  const emailDomains = read('email_domains');
  return {
    id,
    url: read('url'),
    settings: present({
      claimAuth: read('claim_auth'),
      oidcIssuer: read('oidc_issuer'),
      oidcClientId: read('oidc_client_id'),
      oidcClientSecret: read('oidc_client_secret'),
      oauthClients: read('oauth_clients'),
      trustedIssuers: read('trusted_issuers'),
      registrationsPerNetwork: read('registrations_per_network'),
      registrationsPerHour: read('registrations_per_hour'),
    }),
    ...(emailDomains && { emailDomains }),
  };
}

/** Only what is there: what is spread over settings must not hide them. */
function present<Values extends object>(values: Values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

function requireDifferent(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) fail(`one tenant called or reached ${twice}`, 'several');
}

function originIn(entry: Entry, name: string, place: string): string | undefined {
  const text = urlIn(entry, name, place);
  if (text === undefined) return undefined;
  const url = new URL(text);
  if (url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password) {
    return url.origin;
  }
  return fail(`as ${name} an http or https URL without a path ${place}`);
}

function wayIn(entry: Entry, name: string, place: string): (typeof ways)[number] | undefined {
  const value = entry[name];
  const way = ways.find((each) => each === value);
  if (way !== undefined || value === undefined) return way;
  return fail(`as ${name} one of ${ways.join(', ')} ${place}`, shown(value));
}

function urlIn(entry: Entry, name: string, place: string): string | undefined {
  const value = textIn(entry, name, place);
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  return fail(`as ${name} an http or https URL ${place}`);
}

function textIn(entry: Entry, name: string, place: string): string | undefined {
  const value = entry[name];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  return fail(`a text as ${name} ${place}`);
}

function countIn(entry: Entry, name: string, place: string): number | undefined {
  const value = entry[name];
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most) return Number(value);
  return fail(`as ${name} a whole number from 0 to ${most} ${place}`, shown(value));
}

/** As the text that a switch of the server would have. */
function listIn(entry: Entry, name: string, place: string): string | undefined {
  const value = entry[name];
  if (value === undefined) return undefined;
  return Array.isArray(value) ? JSON.stringify(value) : fail(`a list as ${name} ${place}`);
}

function namesIn(entry: Entry, name: string, place: string): readonly string[] | undefined {
  const value = entry[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  return fail(`a list of texts as ${name} ${place}`);
}

function domainsIn(entry: Entry, name: string, place: string): readonly string[] | undefined {
  const domains = namesIn(entry, name, place)?.map((each) => each.toLowerCase());
  const wrong = domains?.find((each) => !domainForm.test(each));
  if (wrong !== undefined) fail(`domains such as example.com as ${name} ${place}`, shown(wrong));
  return domains;
}

/** Only of members that hold no secret. */
function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}

function fail(expected: string, received?: string): never {
  throw new ConfigError([{ variable, expected, ...(received !== undefined && { received }) }]);
}
