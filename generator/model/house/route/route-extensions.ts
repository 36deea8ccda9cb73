import { parseDuration } from '#contract/config/switch';
import type { Access } from '#contract/operation';
import type { ErrorStyle, Route, RouteCache, RouteCors } from '#contract/surface/route';
import { problemsIn } from '../../../read/text/checked-yaml.ts';
import { planDemands, type RawDemands } from '../../operation/operation-demands.ts';
import type { ApiOperation } from '../../schema/api-operations.ts';
import { type RoutePlanning, report } from './route-planning.ts';

/** What specs/schemas/surface-route.schema.json allows. */
interface RawRoute extends RawDemands {
  readonly access: Access;
  readonly errors?: 'problem' | ErrorStyle;
  readonly cors?: {
    readonly origins: RouteCors['origins'];
    readonly headers?: readonly string[];
    readonly expose?: readonly string[];
    readonly credentials?: boolean;
    readonly maxAge?: string;
  };
  readonly cache?:
    | 'no-store'
    | { readonly scope: 'public' | 'private'; readonly maxAge?: string; readonly etag?: boolean };
  readonly long?: boolean;
  readonly vital?: boolean;
  readonly 'own-token'?: boolean;
  readonly 'max-bytes'?: number;
}

type Extensions = Omit<ReturnType<typeof planDemands>, 'task'> &
  Pick<Route, 'errors' | 'cors' | 'cache' | 'isLong' | 'isVital' | 'hasOwnToken' | 'maxBytes'>;

const prefix = 'x-';

/** Read what a route says beyond OpenAPI; nothing where that is wrong, which has been reported. */
export function planExtensions(
  planning: RoutePlanning,
  operation: ApiOperation,
): Extensions | undefined {
  const { node, pointer, method, path } = operation;
  const raw = Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
  const problems = problemsIn(raw, 'surface-route');
  for (const problem of problems) {
    // The keys of the schema, as they stand in the description.
    const at = problem.pointer === '' ? pointer : `${pointer}/${prefix}${problem.pointer.slice(1)}`;
    report(planning, 'SURF002', at, `${method} ${path}: ${problem.message}`, problem.help);
  }
  if (problems.length > 0) return undefined;
  // The schema has just accepted it.
  const route = raw as unknown as RawRoute;
  const { errors, cors, cache, long, vital, 'max-bytes': maxBytes } = route;
  const { 'own-token': ownToken } = route;
  reportContradictions(planning, operation, route);
  return {
    ...planDemands(route, route.access),
    ...(errors && errors !== 'problem' && { errors }),
    ...(cors && { cors: planCors(cors) }),
    ...(cache && { cache: planCache(cache) }),
    ...(long && { isLong: true }),
    ...(vital && { isVital: true }),
    ...(ownToken && { hasOwnToken: true }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

function reportContradictions(
  planning: RoutePlanning,
  { method, pointer }: ApiOperation,
  { access, cors, cache, idempotency = 'none', resumes }: RawRoute,
): void {
  const say = (key: string, message: string) =>
    report(planning, 'SURF007', `${pointer}/${prefix}${key}`, message);
  if (cors?.credentials && cors.origins === '*') {
    say('cors', 'cookies never come along from all origins (Fetch, CORS protocol)');
  }
  if (typeof cache === 'object' && cache.scope === 'public' && access !== 'public') {
    say('cache', 'a public cache would give to anybody what needs scopes');
  }
  if (cache && cache !== 'no-store' && method !== 'GET') {
    say('cache', `only what GET is answered with is ever kept, not ${method}`);
  }
  if (resumes && idempotency === 'none') {
    say('resumes', 'a call without a key is never taken up again: say x-idempotency, too');
  }
  if (idempotency !== 'none' && method === 'GET') {
    say('idempotency', 'GET changes nothing, so it needs no key (RFC 9110 section 9.2.2)');
  }
}

function planCors(raw: NonNullable<RawRoute['cors']>): RouteCors {
  const { origins, headers, expose, credentials, maxAge } = raw;
  const maxAgeMs = maxAge === undefined ? undefined : parseDuration(maxAge);
  return {
    origins,
    ...(headers && { headers }),
    ...(expose && { expose }),
    ...(credentials && { credentials: true }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  };
}

function planCache(raw: NonNullable<RawRoute['cache']>): RouteCache {
  if (raw === 'no-store') return { scope: raw };
  const { scope, maxAge, etag } = raw;
  const maxAgeMs = maxAge === undefined ? undefined : parseDuration(maxAge);
  return { scope, ...(maxAgeMs !== undefined && { maxAgeMs }), ...(etag && { etag: true }) };
}
