import type { CallContext } from './caller.ts';
import type { JsonSchema } from './json.ts';
import type { Operation } from './operation.ts';

/** One HTTP route as its spec describes it. */
export interface Route extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Schemas of the replies by status; a status that is not listed cannot be sent. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
}

export interface RouteResponse {
  readonly contentType?: string;
  readonly schema?: JsonSchema;
}

/** What a route's handler receives, validated. */
export interface RouteRequest {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly accept: string;
  readonly context: CallContext;
}

/** What a route's handler answers. */
export interface RouteReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type RouteHandler = (request: RouteRequest) => Promise<RouteReply>;

/** The routes of a surface, each with the name of the handler that serves it. */
export type Routes<Handlers> = readonly (Route & { readonly name: keyof Handlers & string })[];

/** Check generated routes against the interface of their handlers. */
export function defineRoutes<Handlers>(routes: Routes<Handlers>): Routes<Handlers> {
  return routes;
}
