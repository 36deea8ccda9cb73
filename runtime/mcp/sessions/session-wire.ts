import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isObject } from '#contract/json';
import { type EventStreams, mostOfNotices } from '../wire/event-streams.ts';
import type { Exchange } from '../wire/exchange.ts';
import { idOf } from '../wire/json-rpc.ts';
import { httpErrorReply, type Reply } from '../wire/reply.ts';
import { type Relayed, relay } from './relay.ts';
import { type EventBudget, type Rest, SessionEvents } from './session-events.ts';

/** What the SDK calls the stream of a session that belongs to no request. */
const standaloneStream = '_GET_stream';

/** When a client comes back for a stream that the server has closed. */
const retryMs = 1000;

/** The SDK wants whole addresses; nobody reads this one. */
const address = 'http://localhost/mcp';

export interface WireParts {
  readonly sessionId: string;
  readonly streams: EventStreams;
  readonly budget: EventBudget;
  readonly streamMs: number;
  /** Whether clients of a version come back for a stream that was cut. */
  canComeBack(version: string): boolean;
  /** Told when a stream has ended. */
  onStreamEnd(): void;
}

/** The streams of one session: the SDK's transport between our HTTP server and its events. */
export class SessionWire {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The client has opened the stream for what belongs to no request. */
  hasListened = false;
  readonly #parts: WireParts;
  readonly #events: SessionEvents;
  #open = 0;

  constructor(parts: WireParts) {
    this.#parts = parts;
    this.#events = new SessionEvents(parts.budget, standaloneStream);
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => parts.sessionId,
      eventStore: this.#events,
      retryInterval: retryMs,
      // `streams` does that, with one timer for all.
      keepAliveMs: 0,
    });
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Hand a message to the SDK, which answers a request by events. */
  async post(message: object, version: string, exchange: Exchange): Promise<Reply | undefined> {
    return this.#pass('POST', this.#headers(version), exchange, message);
  }

  /** Open the stream that belongs to no request, or continue any stream after Last-Event-ID. */
  async listen(
    { 'last-event-id': last }: IncomingHttpHeaders,
    version: string,
    exchange: Exchange,
  ): Promise<Reply | undefined> {
    const headers = this.#headers(version);
    if (typeof last !== 'string') return this.#pass('GET', headers, exchange);
    const rest = this.#events.after(last);
    if (!rest) {
      const text = 'Last-Event-ID is no event of this session, or what followed it is gone';
      return httpErrorReply(400, text);
    }
    if (!rest.isAnswered) {
      return this.#pass('GET', { ...headers, 'last-event-id': last }, exchange);
    }
    this.#replay(rest, exchange.response);
    return undefined;
  }

  /** Close the stream that belongs to no request. */
  hangUp(): void {
    this.transport.closeStandaloneSSEStream();
  }

  /** Forget what was kept for clients that come back. */
  forget(): void {
    this.#events.clear();
  }

  #headers(version: string): Record<string, string> {
    // What the client sent has been checked by our own rules, which take more than the SDK's.
    return {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': this.#parts.sessionId,
      'mcp-protocol-version': version,
    };
  }

  async #pass(
    method: 'GET' | 'POST',
    headers: Record<string, string>,
    exchange: Exchange,
    parsedBody?: object,
  ): Promise<Reply | undefined> {
    const request = new Request(address, { method, headers });
    const answer = await this.transport.handleRequest(request, parsedBody && { parsedBody });
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    if (!isStream || !answer.body) return ownWords(answer, parsedBody);
    const isNew = method === 'GET' && headers['last-event-id'] === undefined;
    if (isNew) this.hasListened = true;
    // Clients of older revisions neither know events without data nor come back.
    const canComeBack = this.#parts.canComeBack(String(headers['mcp-protocol-version']));
    const opening = isNew && canComeBack ? await this.#mark() : undefined;
    void this.#relay(answer.body, exchange.response, {
      headers: { 'Mcp-Session-Id': this.#parts.sessionId },
      opening,
      lifetimeMs: canComeBack ? this.#parts.streamMs : 0,
      mostUnread: isNew ? mostOfNotices : undefined,
    });
    return undefined;
  }

  async #relay(
    events: ReadableStream<Uint8Array>,
    response: ServerResponse,
    how: Relayed,
  ): Promise<void> {
    this.#open += 1;
    try {
      await relay(events, response, this.#parts.streams, how);
    } finally {
      this.#open -= 1;
      this.#parts.onStreamEnd();
    }
  }

  /** An event without data, so that a client can come back before it has heard anything. */
  async #mark(): Promise<string> {
    const id = await this.#events.storeEvent(standaloneStream, {} as never);
    return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;
  }

  /** The SDK would keep a stream open that has nothing to follow. */
  #replay({ events }: Rest, response: ServerResponse): void {
    const { streams, sessionId } = this.#parts;
    streams.open(response, { 'Mcp-Session-Id': sessionId });
    for (const { id, text } of events) {
      response.write(`event: message\nid: ${id}\ndata: ${text}\n\n`);
    }
    response.end();
  }
}

/** An answer of the SDK that is no stream: its refusals have codes that no server is to use. */
async function ownWords(answer: Response, message: unknown): Promise<Reply> {
  const text = await answer.text();
  if (text === '') return { status: answer.status, body: '' };
  const value: unknown = JSON.parse(text);
  const error = isObject(value) && isObject(value['error']) ? value['error'] : {};
  const id = idOf(message);
  const options = id === undefined ? {} : { id };
  return httpErrorReply(answer.status, String(error['message'] ?? 'refused'), options);
}
