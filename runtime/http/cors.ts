import type { RouteCors } from '#contract/surface/route';

/** What pages of other origins are told; it says nothing to those that may not use the route. */
export type CorsHeaders = Readonly<Record<string, string>>;

/** Headers of every answer of a route (Fetch, CORS protocol); nothing where the origin is not allowed. */
export function corsHeaders(
  { origins, credentials, expose }: RouteCors,
  origin: string,
): CorsHeaders | undefined {
  if (!isAllowed(origins, origin)) return undefined;
  return {
    'access-control-allow-origin': origins === '*' ? '*' : origin,
    ...(credentials && { 'access-control-allow-credentials': 'true' }),
    ...(expose && { 'access-control-expose-headers': expose.join(', ') }),
  };
}

/** One method of a path that other origins may use. */
export interface CorsMethod {
  readonly method: string;
  readonly cors: RouteCors;
}

/** What a browser asks before a request that is not simple. */
export interface Preflight {
  readonly origin: string;
  readonly method: string;
}

/** The answer to a preflight request; nothing where the method or the origin is not allowed. */
export function preflightHeaders(
  methods: readonly CorsMethod[],
  { origin, method }: Preflight,
): CorsHeaders | undefined {
  const asked = methods.find((each) => each.method === method);
  const allowed = asked && corsHeaders(asked.cors, origin);
  if (!allowed) return undefined;
  const { headers = [], maxAgeMs } = asked.cors;
  const { 'access-control-expose-headers': _, ...told } = allowed;
  return {
    ...told,
    'access-control-allow-methods': methods.map((each) => each.method).join(', '),
    ...(headers.length > 0 && { 'access-control-allow-headers': headers.join(', ') }),
    ...(maxAgeMs !== undefined && {
      'access-control-max-age': String(Math.floor(maxAgeMs / 1000)),
    }),
  };
}

/** By which request headers the answers of a route differ for those who share a cache. */
export function corsVary({ origins }: RouteCors): string | undefined {
  return origins === '*' ? undefined : 'Origin';
}

function isAllowed(origins: RouteCors['origins'], origin: string): boolean {
  return origins === '*' || origins.includes(origin);
}
