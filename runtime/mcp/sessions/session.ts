import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Arrival } from '#contract/arrival';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { SchemaProfile } from '#contract/schema-profile';
import { Call, ClientGone } from '../../admission/call.ts';
import { serverInfo } from '../../process/version.ts';
import { clientSide } from '../request/client-side.ts';
import type { Revision } from '../request/revision.ts';
import { sessionCapabilitiesOf } from '../request/server-profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import {
  errorCode,
  isRequest,
  isRequestId,
  type Message,
  type Request,
  type RequestId,
  type ResponseMessage,
} from '../wire/json-rpc.ts';
import { errorReply, type Reply } from '../wire/reply.ts';
import { wellFormedJson } from '../wire/well-formed.ts';
import { tellOfChanges } from './change-notices.ts';
import { factsOf } from './session-client.ts';
import type { EventBudget } from './session-events.ts';
import { type SessionState, sessionMethods } from './session-methods.ts';
import type { SessionsParts } from './session-parts.ts';
import { SessionRequests } from './session-requests.ts';
import type { Kept } from './session-table.ts';
import { SessionWire } from './session-wire.ts';

/** Calls that run in one session; they go on when their connection is cut. */
const mostRunning = 64;

/** Nothing that a client answers is checked by the SDK, which would make a validator per session. */
const noValidator = {
  getValidator(): never {
    throw new Error('answers are checked by whoever asked');
  },
};

/** What a session is opened with. */
export interface Opening {
  readonly message: Request;
  /** The form of schemas that its address asks for. */
  readonly profile: SchemaProfile | undefined;
  readonly caller: Caller;
  readonly budget: EventBudget;
  /** Told when nothing runs and no stream is open. */
  onQuiet(session: Session): void;
}

/** What a message came with. */
export interface Delivery {
  readonly caller: Caller;
  readonly headers: IncomingHttpHeaders;
  readonly arrival: Arrival;
  readonly exchange: Exchange;
}

/** One client of the handshake era: what it has said, what runs for it, and its streams. */
export class Session implements Kept {
  readonly id = randomBytes(24).toString('base64url');
  readonly owner: Caller;
  readonly #server: Server;
  readonly #wire: SessionWire;
  readonly #revision: Revision;
  readonly #requests: SessionRequests;
  readonly #version: string;
  readonly #state: SessionState = { logLevel: 'info', watched: new Set() };
  readonly #stopTelling: () => void;
  readonly #onQuiet: () => void;
  #isReady = false;

  constructor(parts: SessionsParts, { message, profile, caller, budget, onQuiet }: Opening) {
    const { revisions, streams, settings, log } = parts;
    const { offer } = revisions;
    this.owner = caller;
    this.#version = revisions.agree(message.params);
    this.#onQuiet = () => this.isBusy || onQuiet(this);
    this.#revision = revisions.inSession({
      version: this.#version,
      client: { ...factsOf(message.params), ...(profile && { profile }) },
      logLevel: () => this.#state.logLevel,
      methods: sessionMethods(this.#state, offer.resources),
    });
    const { id: sessionId } = this;
    const { streamMs } = settings;
    const onStreamEnd = this.#onQuiet;
    const canComeBack = (version: string) => revisions.isResumable(version);
    this.#wire = new SessionWire({
      sessionId,
      streams,
      budget,
      streamMs,
      canComeBack,
      onStreamEnd,
    });
    this.#server = new Server(serverInfo, {
      capabilities: sessionCapabilitiesOf(offer),
      jsonSchemaValidator: noValidator,
    });
    this.#requests = new SessionRequests(this.#server, this.#revision, parts.records);
    takeOver(this.#server, (id) => this.#answer(id));
    this.#server.onerror = (error) => log.debug({ err: error }, 'a session has a problem');
    this.#stopTelling = tellOfChanges(parts.changes, this.#state.watched, (method, params) => {
      if (this.#isReady && this.#wire.hasListened) this.#tell(method, params);
    });
  }

  get isBusy(): boolean {
    return this.#requests.size > 0 || this.#wire.isOpen;
  }

  async connect(): Promise<void> {
    // Its declaration is not written for exactOptionalPropertyTypes.
    await this.#server.connect(this.#wire.transport as Parameters<Server['connect']>[0]);
  }

  /** Say why this client may not speak the version that its headers name, if it may not. */
  checkVersion(headers: IncomingHttpHeaders, id: RequestId | undefined): Reply | undefined {
    const failure = this.#revision.checkNotification({ method: '', params: {} }, headers);
    return failure && errorReply(failure.status, failure, id);
  }

  /** Take a message of the client. */
  async take(message: Message, delivery: Delivery): Promise<Reply | undefined> {
    return isRequest(message)
      ? this.#takeRequest(message, delivery)
      : this.#takeNotification(message);
  }

  /** Take the answer to a question. */
  async takeResponse(response: ResponseMessage, exchange: Exchange): Promise<Reply | undefined> {
    return this.#wire.post({ jsonrpc: '2.0', ...response }, this.#version, exchange);
  }

  async listen(headers: IncomingHttpHeaders, exchange: Exchange): Promise<Reply | undefined> {
    return this.#wire.listen(headers, this.#spoken(headers), exchange);
  }

  /** Ask nothing more, and take the stream away that never ends by itself. */
  drain(): void {
    this.#requests.stopAsking(
      new ServiceError('stopping', 503, 'the server is stopping; try again later'),
    );
    this.#wire.hangUp();
  }

  end(): void {
    this.#stopTelling();
    this.#requests.abortAll(new ClientGone());
    this.#server.close().catch(() => {});
    this.#wire.forget();
  }

  async #takeRequest(
    message: Request,
    { caller, headers, arrival, exchange }: Delivery,
  ): Promise<Reply | undefined> {
    const { id } = message;
    const decoded = this.#revision.decode(message, headers);
    if (decoded.kind === 'failure') return errorReply(decoded.status, decoded, id);
    if (this.#requests.has(id)) {
      const text = 'a request with this id is being answered';
      return errorReply(400, { code: errorCode.invalidRequest, message: text }, id);
    }
    if (this.#requests.size >= mostRunning) {
      const text = `at most ${mostRunning} requests of a session are carried out at a time`;
      throw new ServiceError('too_many_requests', 429, text, { retryAfterMs: 1000 });
    }
    const notify = (method: string, params: object) => this.#tell(method, params, id);
    const span = this.#requests.span(message, decoded, arrival);
    const call = new Call(
      caller,
      undefined,
      clientSide(decoded, id, { notify }, { arrival, span }),
    );
    this.#requests.add({ message, decoded, call, span });
    const reply = await this.#wire.post(wireForm(message), this.#spoken(headers), exchange);
    // The SDK refused it: nothing has begun.
    if (reply) this.#requests.remove(id);
    return reply;
  }

  #takeNotification({ method, params }: Message): Reply {
    if (method === 'notifications/initialized') this.#isReady = true;
    const { requestId } = params;
    if (method === 'notifications/cancelled' && isRequestId(requestId)) {
      this.#requests.abort(requestId, new ClientGone());
    }
    return { status: 202, body: '' };
  }

  async #answer(id: RequestId): Promise<Record<string, unknown>> {
    try {
      return await this.#requests.answer(id);
    } finally {
      this.#onQuiet();
    }
  }

  #spoken(headers: IncomingHttpHeaders): string {
    return String(headers['mcp-protocol-version'] ?? this.#version);
  }

  #tell(method: string, params: object | undefined, relatedRequestId?: RequestId): void {
    const related = relatedRequestId === undefined ? {} : { relatedRequestId };
    const notification = { method, ...(params && { params: wellFormed(params) }) };
    // Whom it cannot reach any more does not miss it.
    this.#server.notification(notification as never, related).catch(() => {});
  }
}

/** The SDK writes it: what it gets has no halves of characters. */
function wellFormed(params: object): object {
  return JSON.parse(wellFormedJson(JSON.stringify(params)));
}

/** Answer everything ourselves: what the SDK would answer goes past admission and the metrics. */
function takeOver(server: Server, answer: (id: RequestId) => Promise<Record<string, unknown>>) {
  for (const method of ['initialize', 'ping', 'logging/setLevel']) {
    server.removeRequestHandler(method);
  }
  server.fallbackRequestHandler = (_request, { requestId }) => answer(requestId);
}

/** A request as the SDK gets it, without the tasks of 2025-11-25: it refuses what it cannot do. */
function wireForm({ id, method, params }: Request): object {
  const { task: _, _meta, ...rest } = params;
  const token = isObject(_meta) && isRequestId(_meta['progressToken']) ? _meta : undefined;
  const meta = token && { _meta: { progressToken: token['progressToken'] } };
  return { jsonrpc: '2.0', id, method, params: { ...rest, ...meta } };
}
