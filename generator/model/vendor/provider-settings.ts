import { parseDuration } from '#contract/config/switch';
import type { JsonPath } from '#contract/json';
import type {
  Provider,
  ProviderAuth,
  ProviderErrors,
  ProviderRate,
  ProviderRetry,
  ProviderServer,
} from '#contract/provider';
import type { CuratedAuth, CuratedRate, CuratedServer, Curation } from '../shape/curation.ts';
import { present } from '../texts/present.ts';
import type { Report } from '../texts/report.ts';
import { pathReader } from './answer/response-plan.ts';
import { connectWays } from './connect-ways.ts';

/** What `defineProvider` takes besides the tools. */
export function providerSettings(curation: Curation, report: Report): Omit<Provider, 'tools'> {
  const { provider, title, homepage, servers, headers, query } = curation;
  const [first, ...others] = servers;
  const errors = errorPaths(curation, report);
  return {
    id: provider,
    title,
    ...(homepage !== undefined && { homepage }),
    status: curation.status ?? 'beta',
    ...(curation.contact_required && { contactRequired: true }),
    ...(curation.self_hosted && { selfHosted: true }),
    servers: [serverOf(first, 0), ...others.map((server, index) => serverOf(server, index + 1))],
    ...schemesOf(curation, report),
    ...(curation.verify && { verify: verifyOf(curation.verify) }),
    ...(headers && { headers }),
    ...(query && { query }),
    ...(curation.user_agent !== undefined && { userAgent: curation.user_agent }),
    ...(curation.rate_limit && { rate: rateOf(curation.rate_limit) }),
    ...retryOf(curation, report),
    ...(errors && { errors }),
  };
}

/** Environment variables that belong to a provider. */
export function environmentOf({ auth, servers, ...constants }: Curation): string[] {
  return [
    ...new Set([
      ...auth.flatMap(({ env }) => env ?? []),
      ...auth.flatMap(({ connect }) =>
        connect?.oauth2 ? [connect.oauth2.client_id, connect.oauth2.client_secret] : [],
      ),
      ...servers.flatMap(({ variables }) =>
        Object.values(variables ?? {}).flatMap(({ env }) => env ?? []),
      ),
      ...auth.flatMap(variablesIn),
      ...variablesIn(constants),
    ]),
  ];
}

type Constants = { readonly [place in 'headers' | 'query']?: Curation[place] | undefined };

/** Variables that a credential does not work without, because what they hold is sent with it. */
export function demandedBeside(constants: Constants): string[] {
  return variablesIn(constants).filter((name) => name !== 'SERVICE_CONTACT');
}

function variablesIn({ headers, query }: Constants): string[] {
  const texts = [...Object.values(headers ?? {}), ...Object.values(query ?? {})];
  return texts.flatMap((text) =>
    [...text.matchAll(/\{env:([A-Z0-9_]+)\}/g)].map(([, name]) => name ?? ''),
  );
}

function serverOf({ id, url, variables }: CuratedServer, index: number): ProviderServer {
  return {
    id: id ?? (index === 0 ? 'main' : `server${index + 1}`),
    url: url.replace(/(?<!\/)\/+$/, ''),
    ...(variables && { variables }),
  };
}

/** The usual ways to authenticate, and those that operations ask for by their names. */
function schemesOf(
  { auth, operations }: Curation,
  report: Report,
): Pick<Provider, 'auth' | 'schemes'> {
  const read = auth.map((entry, index) => ({
    ...entry,
    schemes: authOf(entry, `/auth/${index}`, report),
  }));
  const asked = new Set(operations.flatMap((operation) => operation.auth ?? []));
  const named = read.flatMap(({ id = '', schemes }) =>
    asked.has(id)
      ? schemes.flatMap((scheme) => (scheme.type === 'none' ? [] : [[id, scheme] as const]))
      : [],
  );
  return {
    auth: read.flatMap((entry) => (entry.default === false ? [] : entry.schemes)),
    ...(named.length > 0 && { schemes: Object.fromEntries(named) }),
  };
}

function authOf(auth: CuratedAuth, pointer: string, report: Report): ProviderAuth[] {
  const { type, format, env = [], required = true, name, headers, query } = auth;
  const place = auth.in ?? 'header';
  if (type === 'none') return [{ type }];
  const connect = connectWays(auth, pointer, report);
  const beside = { ...(headers && { headers }), ...(query && { query }) };
  const source = { env, required, ...beside, ...(connect && { connect }) };
  if (type === 'bearer') return [{ type, ...source }];
  if (type === 'basic') return [{ type, format: format ?? '{token}', ...source }];
  if (type === 'api_key' && place !== 'path' && name !== undefined) {
    return [{ type, in: place, name, format: format ?? '{token}', ...source }];
  }
  const what =
    type === 'api_key' ? `api_key ${name === undefined ? 'without a name' : 'in the path'}` : type;
  report.curation('P017', `${pointer}/type`, `authentication "${what}" is not implemented`, {
    help: 'it can be: none, api_key (in header, query or cookie), bearer, basic',
  });
  return [];
}

function verifyOf({ operation, method, path, expect }: NonNullable<Curation['verify']>) {
  return {
    ...(operation !== undefined && { tool: operation }),
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    expect: expect ?? 200,
  };
}

function rateOf(rate: CuratedRate): ProviderRate {
  const fields = {
    burst: rate.burst,
    concurrency: rate.concurrency,
    scope: rate.scope,
    remainingHeader: rate.remaining_header,
    limitHeader: rate.limit_header,
    resetHeader: rate.reset_header,
    resetKind: rate.reset_kind,
    retryAfter: rate.retry_after,
    costHeader: rate.cost_header,
  };
  return {
    requests: rate.requests,
    perMs: parseDuration(rate.per) ?? 1000,
    ...present<ProviderRate>(fields),
  };
}

function retryOf({ retry }: Curation, report: Report): Pick<Provider, 'retry'> {
  if (retry === undefined) return {};
  const pathOf = pathReader(report, '');
  return {
    retry: present<ProviderRetry>({
      statuses: retry.statuses,
      max: retry.max,
      baseMs: retry.base_ms,
      capMs: retry.cap_ms,
      jitter: retry.jitter,
      onlyIdempotent: retry.only_idempotent,
      atBody: pathOf(retry.at_body, '/retry/at_body'),
    }),
  };
}

function errorPaths({ errors }: Curation, report: Report): Provider['errors'] {
  if (errors === undefined) return undefined;
  const read = pathReader(report, '/errors');
  const { soft } = errors;
  const path: JsonPath = read(soft?.path, '/soft/path') ?? [];
  return present<ProviderErrors>({
    message: read(errors.message, '/message'),
    code: read(errors.code, '/code'),
    details: read(errors.details, '/details'),
    soft: soft && {
      path,
      ...present<NonNullable<ProviderErrors['soft']>>({
        equals: soft.equals,
        message: read(soft.message, '/soft/message'),
      }),
    },
    emptyStatuses: errors.empty_statuses,
  });
}
