import type { Route } from '../surface/route.ts';

/** What a price stands at, where a route is sold: `GET /api/v1`. */
export function routeTarget({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The same for a tool: `tool:audit_verify`. */
export function toolTarget({ name }: { readonly name: string }): string {
  return `tool:${name}`;
}
