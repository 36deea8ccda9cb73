import type { CallContext } from '../caller.ts';
import type { Operation } from '../operation.ts';
import type { UploadedFile, WantedFile } from './route-file.ts';
import type { Choice } from './route-reply.ts';

/**
 * How errors are told: as OAuth does (RFC 6749 section 5.2), as agents read them where they register,
 * which is the same and more, as a code in `error` with its `reason`, as whoever delivers security
 * events reads them (RFC 8935 section 2.4), or as clients of ACP (2026-04-17, Error) or UCP
 * (2026-08-25, error response) do.
 */
export type ErrorStyle = 'oauth' | 'agent' | 'reason' | 'event' | 'acp' | 'ucp';

/** One HTTP route as its spec describes it. */
export interface Route extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Where the members of `parameters` stand; `input` describes `{ parameters, body, files }`. */
  readonly parameters?: readonly RouteParameter[];
  /** How a body is read, by its media type (or a range, as `text/*`); without it there is none. */
  readonly body?: Readonly<Record<string, BodyKind>>;
  /** Most bytes of a body; what the server allows when absent. */
  readonly maxBytes?: number;
  /** The members of a multipart body that are files. */
  readonly files?: Readonly<Record<string, WantedFile>>;
  /** What may be answered, by status; a status that is not listed cannot be sent. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** How errors are told, as problem documents (RFC 9457) where this is absent. */
  readonly errors?: ErrorStyle;
  /** Pages of which other origins may use it; without it, none. */
  readonly cors?: RouteCors;
  /** How long others may keep what it answers to GET; without it, its handler says so. */
  readonly cache?: RouteCache;
  /** It answers with a stream that may go on for longer than a call. */
  readonly isLong?: true;
  /** It is answered also when the server is overloaded. */
  readonly isVital?: true;
  /** Who calls it shows a credential that this route alone knows: to all else it is nobody in particular. */
  readonly hasOwnToken?: true;
}

/**
 * How a body is read: JSON and forms become values, text a string, `bytes` a `Uint8Array`, and a
 * stream comes as it arrives. A multipart body has its fields in `body` and its files in `files`.
 */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes' | 'stream';

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** A last path parameter that takes the rest of the path, slashes included. */
  readonly rest?: true;
}

export interface RouteResponse {
  /** The media type of its body, or those among which the client chooses. */
  readonly contentType?: string | readonly string[];
}

/** Cross-origin use (Fetch, CORS protocol). */
export interface RouteCors {
  readonly origins: '*' | readonly string[];
  /** Request headers that pages may send beyond the simple ones. */
  readonly headers?: readonly string[];
  /** Reply headers that pages may read beyond the simple ones. */
  readonly expose?: readonly string[];
  /** Whether cookies come along; never with all origins. */
  readonly credentials?: true;
  /** How long a browser may keep this answer. */
  readonly maxAgeMs?: number;
}

/** Caching of answers with status 200 to GET (RFC 9111). */
export interface RouteCache {
  readonly scope: 'public' | 'private' | 'no-store';
  readonly maxAgeMs?: number;
  /** A tag is made of the body, with which a client asks whether what it has is still right. */
  readonly etag?: true;
}

/** What a route's handler receives, validated. */
export interface RouteRequest {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly files?: Readonly<Record<string, UploadedFile | readonly UploadedFile[]>>;
  readonly accept: string;
  readonly context: CallContext;
}

/** Several values of one name are several header lines, as with `set-cookie`. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What a route's handler answers. */
export interface RouteReply {
  readonly status: number;
  /** A `content-type` in here wins over the one that the route declares. */
  readonly headers?: ReplyHeaders;
  readonly body?: unknown;
  /** What makes the body, by media type, where the client chooses. */
  readonly content?: Readonly<Record<string, () => unknown>>;
  /**
   * What the same key is answered with later, in place of this, whose secrets are kept nowhere; only
   * where the route takes keys (`x-idempotency`).
   */
  readonly replay?: RouteReply;
}

export type RouteHandler = (request: RouteRequest) => Promise<RouteReply>;

/** What one route takes and gives; the generator writes such a type for each. */
export interface RouteTypes {
  readonly parameters?: object;
  readonly body?: unknown;
  readonly files?: object;
  /** Type of the body by status; `undefined` where there is none. */
  readonly replies: object;
}

/** `RouteRequest` with the types of one route. */
export interface Request<Types extends RouteTypes> extends RouteRequest {
  readonly parameters: Readonly<Record<string, unknown>> & Types['parameters'];
  readonly body: Types['body'];
  readonly files: NonNullable<RouteRequest['files']> & Types['files'];
}

/** `RouteReply` with the types of one route: only a status that it declares, each with its body. */
export type Reply<Types extends RouteTypes> = {
  readonly [Status in keyof Types['replies'] & number]: {
    readonly status: Status;
    readonly headers?: ReplyHeaders;
    readonly replay?: Reply<Types>;
  } & ReplyBody<Types['replies'][Status]>;
}[keyof Types['replies'] & number];

type ReplyBody<Body> = Body extends undefined
  ? { readonly body?: undefined }
  : Body extends Choice<infer ByType>
    ? { readonly content: { readonly [Type in keyof ByType]: () => Made<ByType[Type]> } }
    : { readonly body: Body };

type Made<Body> = Body | Promise<Body>;

/** The routes of a surface, each with the name of the handler that serves it. */
export type Routes<Handlers> = readonly (Route & { readonly name: keyof Handlers & string })[];

/** Check generated routes against the interface of their handlers. */
export function defineRoutes<Handlers>(routes: Routes<Handlers>): Routes<Handlers> {
  return routes;
}
