import type { CallContext } from '../caller.ts';
import type { JsonSchema } from '../json.ts';
import type { Operation } from '../operation.ts';

/** One HTTP route as its spec describes it. */
export interface Route extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Where the members of `parameters` stand; `input` describes `{ parameters, body }`. */
  readonly parameters?: readonly RouteParameter[];
  /** The body is read as text, whatever its client calls it; without this it is JSON. */
  readonly body?: 'text';
  /** Schemas of the replies by status; a status that is not listed cannot be sent. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
}

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** A last path parameter that takes the rest of the path, slashes included. */
  readonly rest?: true;
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
  /** A `content-type` in here wins over the one that the route declares. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type RouteHandler = (request: RouteRequest) => Promise<RouteReply>;

/** What one route takes and gives; the generator writes such a type for each. */
export interface RouteTypes {
  readonly parameters?: object;
  readonly body?: unknown;
  /** Type of the body by status; `undefined` where there is none. */
  readonly replies: object;
}

/** `RouteRequest` with the types of one route. */
export interface Request<Types extends RouteTypes> extends RouteRequest {
  readonly parameters: Readonly<Record<string, unknown>> & Types['parameters'];
  readonly body: Types['body'];
}

/** `RouteReply` with the types of one route: only a status that it declares, each with its body. */
export type Reply<Types extends RouteTypes> = {
  readonly [Status in keyof Types['replies'] & number]: {
    readonly status: Status;
    readonly headers?: Readonly<Record<string, string>>;
  } & (Types['replies'][Status] extends undefined
    ? { readonly body?: undefined }
    : { readonly body: Types['replies'][Status] });
}[keyof Types['replies'] & number];

/** The routes of a surface, each with the name of the handler that serves it. */
export type Routes<Handlers> = readonly (Route & { readonly name: keyof Handlers & string })[];

/** Check generated routes against the interface of their handlers. */
export function defineRoutes<Handlers>(routes: Routes<Handlers>): Routes<Handlers> {
  return routes;
}
