import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { ErrorStyle } from '#contract/surface/route';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import { type ToldProblem, toldIn } from './answer/error-style.ts';
import { isShort, overloaded } from './load/overloaded.ts';
import { Turnstile, type TurnstileOptions } from './load/turnstile.ts';
import type { OriginChecks } from './origin-check.ts';
import { problemOf } from './problem.ts';
import { repeatedHeader } from './repeated-header.ts';
import type { RequestObservers } from './request-observers.ts';

/** What a server calls for each request and each connection. */
export interface Door {
  readonly request: RequestListener;
  readonly connection: () => void;
}

/** How many requests may come in at a time. */
export interface Crowd extends Pick<TurnstileOptions, 'running' | 'mostRunning' | 'mostWaitMs'> {
  readonly onRefusal: () => void;
}

/** Whom a request may be for, and what is asked of it before. */
export interface FrontDoor {
  readonly mcp: McpEndpoint;
  readonly mcpPath: string;
  readonly checks: OriginChecks;
  /** Says whose a request is; absent where there is one tenant alone. */
  readonly enter: ((request: IncomingMessage) => void) | undefined;
  readonly observers: RequestObservers;
  /** Serves everything but MCP. */
  readonly framework: RequestListener;
  /** What is let in also when more comes than can be done. */
  readonly isVital: (path: string) => boolean;
  /** How errors are told at a path. */
  readonly styleOf: (path: string) => ErrorStyle | undefined;
  /** How many may come in. */
  readonly crowd: Crowd;
}

/**
 * Let requests in. MCP goes past the framework: it reads its own bodies and writes its own
 * answers, and what the framework does before that is a twentieth of the time that a call takes.
 */
export function openFrontDoor({
  mcp,
  mcpPath,
  checks,
  enter,
  observers,
  framework,
  isVital,
  styleOf,
  crowd,
}: FrontDoor): Door {
  const isForMcp = ({ url }: IncomingMessage) => url === mcpPath || pathOf(url) === mcpPath;
  const open: RequestListener = (request, response) => {
    const isMcp = isForMcp(request);
    const refusal = refusalOf(request, checks, isMcp);
    if (isMcp) observers.watch(request, response, mcpPath);
    if (!refusal) {
      if (isMcp) mcp.handle(request, response);
      else framework(request, response);
      return;
    }
    if (isMcp) {
      mcp.refuse(response, refusal);
      return;
    }
    observers.watch(request, response, '');
    refuse(response, refusal, styleOf(pathOf(request.url)));
  };
  const turnstile = new Turnstile({
    ...crowd,
    open,
    refuse(request, response) {
      const isMcp = isForMcp(request);
      observers.watch(request, response, isMcp ? mcpPath : '');
      crowd.onRefusal();
      if (!isShort(request)) response.setHeader('Connection', 'close');
      if (isMcp) mcp.turnAway(response, overloaded);
      else turnAway(response, styleOf(pathOf(request.url)));
    },
  });
  return {
    request(request, response) {
      readAbsoluteTarget(request);
      enter?.(request);
      // What is vital is a route.
      if (!isForMcp(request) && isVital(pathOf(request.url))) open(request, response);
      else turnstile.take(request, response);
    },
    connection: () => turnstile.connected(),
  };
}

/** The path of a request target. */
export function pathOf(url = ''): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function refusalOf(
  request: IncomingMessage,
  { host, origin }: OriginChecks,
  isMcp: boolean,
): ServiceError | undefined {
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated) return repeated;
  // Each route of a surface says for itself which other origins may use it.
  const foreign = host(request.headers) ?? (isMcp ? origin(request.headers) : undefined);
  return foreign === undefined ? undefined : new ServiceError('foreign_request', 403, foreign);
}

/** A target may be a whole URL; its host counts, and not the header (RFC 9112 section 3.2.2). */
function readAbsoluteTarget(request: IncomingMessage): void {
  if (request.url?.startsWith('/')) return;
  const target = URL.parse(request.url ?? '');
  if (!target || !/^https?:$/.test(target.protocol)) return;
  request.url = target.pathname + target.search;
  request.headers.host = target.host;
}

function refuse(
  response: ServerResponse,
  refusal: ServiceError,
  style: ErrorStyle | undefined,
): void {
  const { status, headers, members, type } = toldIn(style, problemOf(refusal));
  const fields = { ...headers, 'Content-Type': type, Connection: 'close' };
  response.writeHead(status, fields).end(JSON.stringify(members));
}

/** Made once: whoever has more to do than it can makes nothing anew. */
const tooMany = new Map<ErrorStyle | undefined, Omit<ToldProblem, 'members'> & { body: string }>();

/** Send a request away that came when there were too many; its connection may be used again. */
function turnAway(response: ServerResponse, style: ErrorStyle | undefined): void {
  let made = tooMany.get(style);
  if (made === undefined) {
    const { members, ...told } = toldIn(style, problemOf(overloaded));
    made = { ...told, body: JSON.stringify(members) };
    tooMany.set(style, made);
  }
  const { status, headers, type, body } = made;
  response.writeHead(status, { ...headers, 'Content-Type': type }).end(body);
}
