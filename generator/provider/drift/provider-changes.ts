import { isObject } from '#contract/json';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { CuratedAuth, Curation } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import type { Candidate } from '../guess/auth-candidate.ts';
import { authCandidates } from '../guess/guess-auth.ts';

/**
 * What a later description says otherwise than a curation of all requests: the base URL, and how
 * the credential travels. Where it says nothing of them, nothing is found.
 *
 * @param origin address of the description, for servers that are relative to it
 * @param operations those of the later description that the curation names
 */
export function providerChanges(
  curation: Curation,
  {
    document,
    origin,
    operations,
  }: {
    readonly document: ApiDocument;
    readonly origin: string | undefined;
    readonly operations: readonly ApiOperation[];
  },
): readonly string[] {
  const { security } = document.root;
  const isDemanded = operations.some(({ node }) => demands(node['security'] ?? security));
  const server = serverChange(curation, document, origin);
  return [...server, ...credentialChange(curation, document, isDemanded)];
}

/** Whether no alternative does without a credential (OpenAPI 3.1, security requirement object). */
function demands(security: unknown): boolean {
  if (!Array.isArray(security) || security.length === 0) return false;
  return security.every((entry) => isObject(entry) && Object.keys(entry).length > 0);
}

/** Stands for what a variable of a server holds. */
const anything = 'any-value';

function serverChange(
  { servers: [{ url }], self_hosted: isSelfHosted }: Curation,
  { root }: ApiDocument,
  origin: string | undefined,
): string[] {
  if (url.includes('{')) return [];
  const told = (root.servers ?? []).map((server) => String(server['url']));
  const addresses = told.map((text) =>
    URL.parse(text.replace(/\{[^}]*\}/g, anything), origin ?? undefined),
  );
  if (addresses.length === 0 || addresses.includes(null)) return [];
  // The host differs from one installation to the next, and is in no description.
  const place = isSelfHosted ? pathOf : placeOf;
  const own = place(URL.parse(url));
  if (addresses.some((address) => isPlaceOf(own, place(address)))) return [];
  return [`base URL is ${told.join(' or ')}, not ${url} (servers in curation.yaml)`];
}

/** A base URL without its scheme: descriptions write http where the vendor speaks TLS. */
function placeOf(url: URL | null): string {
  return url === null ? '' : `${url.host}${pathOf(url)}`;
}

function pathOf(url: URL | null): string {
  return url === null ? '' : url.pathname.replace(/\/+$/, '');
}

function isPlaceOf(own: string, pattern: string): boolean {
  const parts = pattern.split(anything).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`).test(own);
}

function credentialChange(
  curation: Curation,
  document: ApiDocument,
  isDemanded: boolean,
): string[] {
  const { auth, headers = {}, query = {}, provider } = curation;
  const usual = auth.filter((entry) => entry.default !== false);
  const isOpen = usual.every(({ type }) => type === 'none');
  if (isOpen && !isDemanded) return [];
  const candidates = authCandidates(document, provider);
  const taken = candidates.filter(({ votes }) => votes > 0);
  const ways = (taken.length > 0 ? taken : candidates).map(partsOf);
  const forms = isOpen ? [] : auth.flatMap((each) => partsOf({ auth: each, ...each }));
  const own = new Set([...forms, ...constantForms(headers, query)]);
  if (ways.length === 0 || ways.some((way) => way.every((part) => own.has(part)))) return [];
  const expected = [...new Set(ways.map((way) => way.join(' with ')))].join(' or ');
  const sent = isOpen ? 'but none is sent' : `not as ${usual.map(formOf).join(' or ')}`;
  return [`credential is expected as ${expected}, ${sent} (auth in curation.yaml)`];
}

/** All that has to be sent together. */
function partsOf({
  auth,
  headers = {},
  query = {},
}: Pick<Candidate, 'auth' | 'headers' | 'query'>): string[] {
  return [formOf(auth), ...constantForms(headers, query)];
}

function constantForms(headers: object, query: object): string[] {
  return [
    ...Object.keys(headers).map((name) => `header ${name.toLowerCase()}`),
    ...Object.keys(query).map((name) => `query ${name}`),
  ];
}

/** Where a credential stands; what word comes before it is often told by nothing but prose. */
function formOf({ type, in: place = 'header', name = '' }: CuratedAuth): string {
  if (type === 'basic') return 'Basic authentication';
  if (type === 'bearer') return 'header authorization';
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}
