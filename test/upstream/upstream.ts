import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { load } from 'js-yaml';
import { type Document, OpenAPIBackend, type Request } from 'openapi-backend';
import { parse as parseQuery } from 'qs';
import { exampleAnswer } from './example-answer.ts';
import type { Fault } from './faults.ts';

/** One request that a tool made, and how it breaks the vendor's own description. */
export interface Exchange {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly violations: readonly string[];
}

/** A vendor on loopback: checks each request against its description and answers its examples. */
export interface Upstream {
  readonly url: string;
  readonly exchanges: Exchange[];
  /** Answer every request with this fault until it is taken back. */
  fault: Fault | undefined;
  /** Answer the next request with this instead of the example. */
  next: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

/** Start the vendor that the OpenAPI description in `specFile` describes, on a free port. */
export async function startUpstream(specFile: string): Promise<Upstream> {
  const definition = load(readFileSync(specFile, 'utf8')) as Document;
  const api = await validator(definition, {});
  // The values of a form are text: only there a number may come as its digits. Few vendors take one.
  let forms: Promise<OpenAPIBackend> | undefined;
  const validatorOf = (request: Request) => {
    if (!isForm(request)) return api;
    forms ??= validator(definition, { coerceTypes: true });
    return forms;
  };

  const exchanges: Exchange[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const request = toRequest(incoming, body);
    const operation = api.matchOperation(request);
    const violations = operation
      ? violationsOf(await validatorOf(request), request, operation.operationId)
      : [`no operation for ${incoming.method} ${incoming.url}`];
    exchanges.push({
      method: request.method,
      url: incoming.url ?? '/',
      headers: incoming.headers,
      body,
      violations,
    });

    const answer = upstream.next ?? upstream.fault?.answer;
    upstream.next = undefined;
    if (answer) return answer(response);
    if (violations.length > 0 || !operation) return send(response, 422, { violations });
    const example = exampleAnswer(operation, body);
    send(response, example.status, example.body, example.contentType);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    fault: undefined,
    next: undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return upstream;
}

function toRequest(incoming: IncomingMessage, body: string): Request {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?');
  return {
    method: incoming.method ?? 'GET',
    path,
    query,
    headers: incoming.headers as Record<string, string | string[]>,
    body: body === '' ? undefined : body,
  };
}

function isForm({ headers }: Request): boolean {
  return String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
}

async function validator(definition: Document, options: object): Promise<OpenAPIBackend> {
  return new OpenAPIBackend({
    definition: structuredClone(definition),
    quick: true,
    coerceTypes: true,
    // Each validator checks a handful of requests: what would make it faster takes longer than they do.
    ajvOpts: { strict: false, validateFormats: false, code: { optimize: false }, ...options },
  }).init();
}

function violationsOf(api: OpenAPIBackend, request: Request, operationId = ''): string[] {
  const decoded = isForm(request) ? { ...request, body: parseQuery(request.body) } : request;
  const { errors } = api.validateRequest(decoded, operationId);
  return (errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

function send(response: ServerResponse, status: number, body: unknown, type = 'application/json') {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' && type !== 'application/json' ? body : stringify(body));
}

function stringify(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body);
}
