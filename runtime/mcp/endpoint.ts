import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { SchemaProfile } from '#contract/schema-profile';
import type { Admission } from '../admission/admission.ts';
import { Call, ClientGone } from '../admission/call.ts';
import {
  type ClientAddress,
  clientAddressBy,
  type ProxySettings,
} from '../admission/client-address.ts';
import { HttpArrival } from '../admission/http-arrival.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracer } from '../observe/spans/tracer.ts';
import type { Catalogue } from '../offer/catalogue.ts';
import type { Prompts } from '../offer/prompts.ts';
import type { Resources } from '../offer/resources.ts';
import type { Skills } from '../offer/skills.ts';
import { type Body, readBody } from '../process/body/read-body.ts';
import { OperationObservers } from './outcome/operation-observers.ts';
import type { Outcome } from './outcome/outcome.ts';
import { profileIn } from './profiles/profile-of.ts';
import { clientSide } from './request/client-side.ts';
import type { Dialogue } from './request/dialogue.ts';
import { OperationSpans } from './request/operation-spans.ts';
import { RequestRecords } from './request/request-records.ts';
import type { Decoded, Failure, Revision, ServedRevision } from './request/revision.ts';
import { Subscriptions } from './request/subscriptions.ts';
import { RevisionTable } from './revisions/revision-table.ts';
import { served } from './revisions/served.ts';
import { SessionDoor } from './sessions/session-door.ts';
import type { SessionSettings } from './sessions/session-table.ts';
import type { Tasks } from './tasks/tasks.ts';
import { type Accepted, acceptedBy } from './wire/accept.ts';
import { type ClassifiedMessage, classifyBody, classifyHead, type Era } from './wire/classify.ts';
import { EventStreams, mostOfNotices } from './wire/event-streams.ts';
import { Exchange, sendReply } from './wire/exchange.ts';
import { errorCode, isRequest, type Request } from './wire/json-rpc.ts';
import {
  errorReply,
  httpErrorReply,
  notAcceptable,
  type Reply,
  refusalReply,
} from './wire/reply.ts';

export interface EndpointParts extends ProxySettings {
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly dialogue: Dialogue;
  /** Absent where nothing keeps tasks. */
  readonly tasks?: Tasks | undefined;
  /** Absent where nothing is taught; their files are among the resources. */
  readonly skills?: Skills | undefined;
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly maxBodyBytes: number;
  /** Absent where every request of the handshake era stands alone. */
  readonly sessions?: SessionSettings | undefined;
  /** Those of `served.ts` where nothing else is said. */
  readonly revisions?: readonly ServedRevision[] | undefined;
}

/** What carries the messages: in the modern era, stdio has no headers (MCP 2026-07-28, stdio). */
export type Binding = 'http' | 'stdio';

/** How a request came in. */
interface Way {
  readonly binding: Binding;
  readonly arrival: HttpArrival;
  readonly caller: Caller | Promise<Caller>;
  /** The form of schemas that the address asks for. */
  readonly profile: SchemaProfile | undefined;
}

/** What stands behind a request that is carried out. */
interface Side extends Pick<Way, 'arrival' | 'caller'> {
  readonly takesEvents: boolean;
}

/** The MCP endpoint. Of all of `mcp/` it alone knows HTTP requests. */
export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #revisions: RevisionTable;
  readonly #streams = new EventStreams();
  readonly #subscriptions: Subscriptions;
  readonly #records: RequestRecords;
  readonly #sessions: SessionDoor | undefined;
  readonly #addressOf: ClientAddress;

  constructor(parts: EndpointParts) {
    const { catalogue, metrics, log, sessions } = parts;
    this.#parts = parts;
    this.#addressOf = clientAddressBy(parts);
    this.#subscriptions = new Subscriptions(parts.catalogue.changes);
    const offer = { ...parts, subscriptions: this.#subscriptions };
    this.#revisions = new RevisionTable(parts.revisions ?? served, offer);
    const isTool = (name: string) => catalogue.has(name);
    const observers = new OperationObservers(metrics, isTool);
    const spans = parts.tracer && new OperationSpans(parts.tracer, isTool);
    this.#records = new RequestRecords(log, observers, spans);
    if (!sessions || !this.#revisions.hasHandshake) return;
    const { changes } = catalogue;
    const around = { ...parts, changes, streams: this.#streams, records: this.#records };
    const revisions = this.#revisions;
    this.#sessions = new SessionDoor({ ...around, revisions, settings: sessions });
  }

  /** Answer one HTTP request whose Host and Origin have been checked, or which a pipe carries. */
  handle(request: IncomingMessage, response: ServerResponse, binding: Binding = 'http'): void {
    if (this.#streams.draining) response.setHeader('Connection', 'close');
    const { method, headers } = request;
    const isLocal = binding === 'stdio';
    const arrival = new HttpArrival(request, 'mcp', { isLocal, address: this.#addressOf(request) });
    const caller = this.#callerOf(arrival, headers);
    if (caller instanceof ServiceError) {
      sendReply(response, refusalReply(caller, undefined));
      return;
    }
    const refusal = classifyHead(method, headers, this.#sessions !== undefined);
    if (refusal) {
      sendReply(response, refusal);
      return;
    }
    const profile = profileIn(request.url);
    if (typeof profile === 'object') {
      sendReply(response, httpErrorReply(400, profile.problem));
      return;
    }
    const exchange = new Exchange(response, this.#streams);
    if (method !== 'POST') {
      const kind = method === 'GET' ? 'stream' : 'end';
      this.#sessions?.handle({ kind, headers, arrival, caller }, exchange);
      return;
    }
    readBody(request, this.#parts.maxBodyBytes, (body) => {
      const reply = this.#serve(body, headers, exchange, { binding, arrival, caller, profile });
      if (reply) exchange.finish(reply);
    });
  }

  /** Close each connection after its next answer. */
  drain(): void {
    this.#streams.draining = true;
    this.#subscriptions.end();
    this.#sessions?.drain();
  }

  /** Refuse a request before anything of it is read. */
  refuse(response: ServerResponse, { status, message }: ServiceError): void {
    sendReply(response, httpErrorReply(status, message, { headers: { Connection: 'close' } }));
  }

  /**
   * Who calls, or why nobody may: whoever brings nothing hears that before anything else of the
   * request is looked at (MCP, authorization). One that takes a while fails where it is waited for.
   */
  #callerOf(
    arrival: HttpArrival,
    headers: IncomingHttpHeaders,
  ): Caller | Promise<Caller> | ServiceError {
    try {
      const needs = () => this.#needs(headers, arrival.tenant);
      const caller = this.#parts.admission.authenticate(arrival, needs);
      if (caller instanceof Promise) caller.catch(() => {});
      return caller;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  /** The scopes that a request needs, as far as its headers tell: whoever lacks some asks once for all. */
  #needs(headers: IncomingHttpHeaders, tenant: string): readonly string[] | undefined {
    const { 'mcp-method': method, 'mcp-name': name } = headers;
    if (method !== 'tools/call' || typeof name !== 'string') return undefined;
    const tool = this.#parts.catalogue.find(name, tenant);
    if (!tool || tool instanceof Promise) return undefined;
    const { access } = tool.definition;
    return access === 'public' ? undefined : access;
  }

  /** Send a request away that came when there were too many; its connection may be used again. */
  turnAway(response: ServerResponse, error: ServiceError): void {
    sendReply(response, refusalReply(error, undefined));
  }

  /** Start what the body asks for, or give the answer when there is nothing to start. */
  #serve(
    body: Body,
    headers: IncomingHttpHeaders,
    exchange: Exchange,
    way: Way,
  ): Reply | undefined {
    if (body === 'too large') {
      // The connection stays open: whoever is still writing loses the answer with it, and is left with EPIPE.
      return httpErrorReply(413, `the body is larger than ${this.#parts.maxBodyBytes} bytes`);
    }
    const sessions = this.#sessions;
    const { firstModern } = this.#revisions;
    const classified = classifyBody(body, headers, firstModern, sessions !== undefined);
    if (classified.kind === 'refused') return classified.reply;
    if (sessions && (classified.kind === 'response' || classified.era === 'legacy')) {
      const { arrival, caller, profile } = way;
      sessions.handle({ ...classified, headers, arrival, caller, profile }, exchange);
      return undefined;
    }
    if (classified.kind === 'response') return undefined;
    try {
      return this.#start(classified, headers, exchange, way);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a request could not be read');
      const failure = { code: errorCode.internal, message: 'internal error' };
      return errorReply(500, failure, classified.message.id);
    }
  }

  #start(
    classified: ClassifiedMessage,
    headers: IncomingHttpHeaders,
    exchange: Exchange,
    way: Way,
  ): Reply | undefined {
    const { era, message } = classified;
    const revision = this.#revisions.of(classified, headers);
    const mirrors = era === 'modern' && way.binding === 'stdio' ? undefined : headers;
    if (!isRequest(message)) {
      const failure = revision.checkNotification(message, mirrors);
      return failure ? errorReply(failure.status, failure, undefined) : { status: 202, body: '' };
    }
    const accepted = acceptedBy(headers.accept);
    if (!isAnswerable(accepted, era)) return notAcceptable(message);
    const understood = revision.decode(message, mirrors);
    if (understood.kind === 'failure') {
      this.#observeFailure(revision, message, understood);
      return errorReply(understood.status, understood, message.id);
    }
    const decoded = withProfile(understood, way.profile);
    const { streams = false } = decoded.method;
    if (streams && !accepted.stream) {
      const text = `${message.method} is answered by events: Accept must list text/event-stream`;
      return httpErrorReply(406, text, { id: message.id });
    }
    exchange.onlyEvents = streams || !accepted.json;
    if (streams) exchange.mostUnread = mostOfNotices;
    const { arrival, caller } = way;
    const side = { arrival, caller, takesEvents: accepted.stream };
    void this.#run(revision, decoded, message, exchange, side);
    return undefined;
  }

  async #run(
    { encode }: Revision,
    decoded: Decoded,
    message: Request,
    exchange: Exchange,
    { arrival, caller: known, takesEvents }: Side,
  ): Promise<void> {
    const { id, method: name, params } = message;
    const observe = this.#records.observer(message);
    const span = this.#records.span(message, decoded, arrival);
    let outcome: Outcome;
    let reply: Reply;
    try {
      const caller = known instanceof Promise ? await known : known;
      const notifier = takesEvents ? exchange : undefined;
      const side = clientSide(decoded, id, notifier, { arrival, span });
      const call = new Call(caller, exchange.response, side);
      outcome = await decoded.method.run(decoded.params ?? params, call);
      reply = encode(outcome, id, name);
    } catch (error) {
      if (error instanceof ClientGone) {
        observe(decoded.version, exchange.seconds(), 'client_gone', span?.context);
        span?.end('client_gone');
        return;
      }
      outcome = this.#records.failed(error, message, decoded);
      reply = encode(outcome, id, name);
    }
    exchange.finish(reply);
    const seconds = exchange.seconds();
    this.#records.answered(observe, message, decoded, { outcome, seconds, span });
  }

  #observeFailure(revision: Revision, message: Request, { code }: Failure): void {
    if (!revision.methods.has(message.method)) return;
    this.#records.observer(message)('', 0, String(code));
  }
}

/** Clients of the handshake era must take both kinds; others get the kind that they take. */
function isAnswerable({ json, stream }: Accepted, era: Era): boolean {
  return era === 'legacy' ? json && stream : json || stream;
}

/** What the address asks for is part of what the client says of itself. */
function withProfile(decoded: Decoded, profile: SchemaProfile | undefined): Decoded {
  return profile ? { ...decoded, client: { ...decoded.client, profile } } : decoded;
}
