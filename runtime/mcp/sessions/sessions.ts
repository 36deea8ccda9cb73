import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { SchemaProfile } from '#contract/schema-profile';
import { opening } from '../methods/initialize.ts';
import { acceptedBy } from '../wire/accept.ts';
import type { Exchange } from '../wire/exchange.ts';
import { errorCode, isRequest, type Request } from '../wire/json-rpc.ts';
import { errorReply, httpErrorReply, notAcceptable, type Reply } from '../wire/reply.ts';
import { type Delivery, Session } from './session.ts';
import { checkOpening } from './session-client.ts';
import { defaultEventBudget, type EventBudget } from './session-events.ts';
import type { SessionRequest, SessionsParts } from './session-parts.ts';
import { SessionTable } from './session-table.ts';

/** The sessions of the handshake era (MCP 2025-11-25, session management), over the official SDK. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #table: SessionTable<Session>;
  readonly #budget: EventBudget = { left: defaultEventBudget };

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#table = new SessionTable(parts.settings);
  }

  /** Do what a client wants, or give the answer where nothing else writes one. */
  async serve(
    request: SessionRequest,
    caller: Caller,
    exchange: Exchange,
  ): Promise<Reply | undefined> {
    const unreadable = checkAccept(request);
    if (unreadable) return unreadable;
    const named = request.headers['mcp-session-id'];
    if (named === undefined) {
      const first = openingOf(request);
      if (!first) return noSession(request);
      const { headers, arrival, profile } = request;
      return this.#open(first, { caller, headers, arrival, exchange }, profile);
    }
    const session = this.#table.find(String(named), caller);
    if (!session) return endedSession(request);
    this.#table.touch(session);
    const wrong = session.checkVersion(request.headers, idOf(request).id);
    const { headers, arrival } = request;
    return wrong ?? this.#pass(session, request, { caller, headers, arrival, exchange });
  }

  /** End every session, each as soon as its calls have their answers. */
  drain(): void {
    for (const session of this.#table) {
      session.drain();
      if (!session.isBusy) this.#table.end(session);
    }
  }

  async #open(
    message: Request,
    delivery: Delivery,
    profile: SchemaProfile | undefined,
  ): Promise<Reply | undefined> {
    const { caller } = delivery;
    const problem = checkOpening(message.params);
    if (problem !== undefined) {
      return errorReply(200, { code: errorCode.invalidParams, message: problem }, message.id);
    }
    if (this.#isDraining) {
      throw new ServiceError('stopping', 503, 'the server is stopping', { retryAfterMs: 5000 });
    }
    this.#table.makeRoom(caller);
    const onQuiet = (quiet: Session) => this.#onQuiet(quiet);
    const session = new Session(this.#parts, {
      message,
      profile,
      caller,
      budget: this.#budget,
      onQuiet,
    });
    this.#table.keep(session);
    await session.connect();
    const refusal = await session.take(message, delivery);
    // Refused by the SDK, the client does not know of it.
    if (refusal) this.#table.end(session);
    return refusal;
  }

  async #pass(
    session: Session,
    request: SessionRequest,
    delivery: Delivery,
  ): Promise<Reply | undefined> {
    const { headers, exchange } = delivery;
    switch (request.kind) {
      case 'message':
        return session.take(request.message, delivery);
      case 'response':
        return session.takeResponse(request.response, exchange);
      case 'stream':
        return session.listen(headers, exchange);
      case 'end':
        this.#table.end(session);
        return { status: 204, body: '' };
    }
  }

  get #isDraining(): boolean {
    return this.#parts.streams.draining;
  }

  #onQuiet(session: Session): void {
    if (this.#isDraining) this.#table.end(session);
    else this.#table.touch(session);
  }
}

/** The request that opens a session, if this is one. */
function openingOf(request: SessionRequest): Request | undefined {
  if (request.kind !== 'message' || request.message.method !== opening) return undefined;
  return isRequest(request.message) ? request.message : undefined;
}

function checkAccept(request: SessionRequest): Reply | undefined {
  const { json, stream } = acceptedBy(request.headers.accept);
  if (request.kind === 'stream' && !stream) {
    return httpErrorReply(406, 'Accept must list text/event-stream');
  }
  if (request.kind !== 'message' || !isRequest(request.message) || (json && stream)) {
    return undefined;
  }
  return notAcceptable(request.message);
}

function noSession(request: SessionRequest): Reply {
  // On stdio, no client knows of the header.
  const text =
    'a session begins with initialize; what follows it over HTTP has the header Mcp-Session-Id';
  return httpErrorReply(400, text, idOf(request));
}

/** One of another caller looks like one that has ended. */
function endedSession(request: SessionRequest): Reply {
  const text = 'there is no such session, or it has ended; a new one begins with initialize';
  return httpErrorReply(404, text, idOf(request));
}

function idOf(request: SessionRequest): { readonly id?: string | number } {
  const id = request.kind === 'message' ? request.message.id : undefined;
  return id === undefined ? {} : { id };
}
