import { type AuthMode, isReachedLocally } from '#contract/config/auth-mode';
import { ConfigError, type ConfigProblem } from '#contract/config/config';
import { isObject } from '#contract/json';
import { defaultTenant, type Tenant } from '#contract/tenant/tenants';
import { jsonFault } from '#contract/text/json-fault';
import {
  countIn,
  domainsIn,
  limitsIn,
  listIn,
  namesIn,
  originIn,
  textIn,
  urlIn,
  type Written,
  wayIn,
} from './tenant-members.ts';

/** A tenant as the operator declares it. */
export interface DeclaredTenant extends Omit<Tenant, 'address' | 'providers'> {
  /** The origin that is its own; without one it is reached under `/t/<id>` of the server. */
  readonly url: string | undefined;
  /** Ids and presets of vendors, as `SERVICE_PROVIDER` has them. */
  readonly providers?: readonly string[];
}

const variable = 'SERVICE_TENANTS';
/** Each has keys, and work of its own that is done again and again. */
const mostTenants = 1000;
/** As a label of a host name: such an id can stand in paths, host names and subjects of a bus. */
const idForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

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
  providers: namesIn,
  limits: limitsIn,
} satisfies Record<string, (written: Written) => unknown>;

/** Takes a fault down. */
type Fault = (expected: string, received?: string) => void;

/** The tenants that can be read, and all that is wrong with these and the others. */
interface SeenTenants {
  readonly tenants: readonly DeclaredTenant[];
  readonly problems: readonly ConfigProblem[];
}

/** Look at whom the operator lets share this server: a JSON array. */
export function lookAtTenants(text: string | undefined): SeenTenants {
  if (text === undefined) return { tenants: [], problems: [] };
  const problems: ConfigProblem[] = [];
  const fault: Fault = (expected, received) =>
    problems.push({ variable, expected, ...(received !== undefined && { received }) });
  return { tenants: readList(text, fault), problems };
}

/**
 * The same, where nothing is wrong with them.
 *
 * @throws ConfigError with all that is wrong
 */
export function parseTenants(text: string | undefined): readonly DeclaredTenant[] {
  const { tenants, problems } = lookAtTenants(text);
  if (problems.length > 0) throw new ConfigError(problems);
  return tenants;
}

function readList(text: string, fault: Fault): readonly DeclaredTenant[] {
  const entries = parseList(text, fault);
  if (entries.length > mostTenants) {
    fault(`at most ${mostTenants} tenants`, String(entries.length));
    return [];
  }
  const tenants = entries.flatMap((entry, index) => readTenant(entry, `at place ${index}`, fault));
  requireDifferent(
    tenants.map(({ id }) => id),
    fault,
  );
  requireDifferent(hostsOf(tenants).map(hostOf), fault);
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
 * @throws ConfigError with all that is wrong
 */
export function requireTenants({ tenants, baseUrl, mcpPath, host, surfaces }: Around): void {
  const { tenants: declared, problems: own } = lookAtTenants(tenants);
  const hosts = hostsOf(declared);
  const problems = [...own];
  if (declared.length > hosts.length && mcpPath.startsWith('/t/')) {
    const expected = 'a path that does not begin with /t/, where tenants are';
    problems.push({ variable: 'MCP_PATH', expected, received: JSON.stringify(mcpPath) });
  }
  const taken = [baseUrl === undefined ? host : hostOf(baseUrl), 'localhost', '127.0.0.1', '[::1]'];
  for (const received of hosts.filter((url) => taken.includes(hostOf(url)))) {
    problems.push({ variable, expected: 'hosts other than those of the server itself', received });
  }
  if (surfaces.identity.auth === 'local' && hosts.some((url) => isOpenAt(url, host))) {
    const expected =
      'required, because SERVICE_TENANTS has hosts that are no loopback addresses, and local takes whoever calls for the operator';
    problems.push({ variable: 'SERVICE_AUTH', expected, received: 'local' });
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function isOpenAt(baseUrl: string, host: string): boolean {
  return !isReachedLocally({ host, baseUrl });
}

/** The hosts that tenants have of their own, as URLs. */
export function hostsOf(tenants: readonly DeclaredTenant[]): readonly string[] {
  return tenants.flatMap(({ url }) => url ?? []);
}

/** The name of the host of a URL. */
export function hostOf(url: string): string {
  return new URL(url).hostname;
}

function parseList(text: string, fault: Fault): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    fault('a JSON array of tenants');
  } catch {
    fault('a JSON array of tenants', `what is no JSON: ${jsonFault(text)}`);
  }
  return [];
}

function readTenant(entry: unknown, place: string, fault: Fault): readonly DeclaredTenant[] {
  if (!isObject(entry)) {
    fault(`an object ${place}`);
    return [];
  }
  const names = ['id', ...Object.keys(members)];
  for (const name of Object.keys(entry).filter((each) => !names.includes(each))) {
    fault(`the members ${names.join(', ')} ${place}`, shown(name));
  }
  const read = <Name extends keyof typeof members>(name: Name) => {
    const value = entry[name];
    if (value === undefined) return undefined;
    const wrong: Written['wrong'] = (expected, received) => {
      fault(
        `${expected} as ${name} ${place}`,
        received === undefined ? undefined : shown(received),
      );
      return undefined;
    };
    return members[name]({ value, wrong }) as ReturnType<(typeof members)[Name]>;
  };
  const settings = present({
    claimAuth: read('claim_auth'),
    oidcIssuer: read('oidc_issuer'),
    oidcClientId: read('oidc_client_id'),
    oidcClientSecret: read('oidc_client_secret'),
    oauthClients: read('oauth_clients'),
    trustedIssuers: read('trusted_issuers'),
    registrationsPerNetwork: read('registrations_per_network'),
    registrationsPerHour: read('registrations_per_hour'),
  });
  const more = present({
    emailDomains: read('email_domains'),
    providers: read('providers'),
    limits: read('limits'),
  });
  const url = read('url');
  const { id } = entry;
  if (typeof id === 'string' && idForm.test(id) && id !== defaultTenant) {
    return [{ id, url, settings, ...more }];
  }
  const expected = `an id of small letters, digits and hyphens ${place}, not ${defaultTenant}`;
  fault(expected, shown(id));
  return [];
}

/** Only what is there: what is spread over settings must not hide them. */
function present<Values extends object>(values: Values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Values]?: NonNullable<Values[Name]> };
}

function requireDifferent(names: readonly string[], fault: Fault): void {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  for (const name of new Set(twice)) fault(`one tenant called or reached ${name}`, 'several');
}

/** Only of members that hold no secret. */
function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
