import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type LogLevel, logLevels } from '#contract/client';
import { ServiceError } from '#contract/errors';
import { traceIdOf } from '#contract/trace';
import type { Admission } from '../admission/admission.ts';
import { Call, ClientGone, type ClientSide } from '../admission/call.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { Catalogue } from '../catalogue.ts';
import { type Body, readBody } from '../http/read-body.ts';
import type { Metrics } from '../metrics.ts';
import type { Prompts } from '../prompts.ts';
import type { Resources } from '../resources.ts';
import { type Accepted, acceptedBy } from './accept.ts';
import { type ClassifiedMessage, classifyBody, classifyHead, type Era } from './classify.ts';
import type { Dialogue } from './dialogue.ts';
import { EventStreams } from './event-streams.ts';
import { Exchange, sendReply } from './exchange.ts';
import { errorCode, type Message, type Params, type RequestId } from './json-rpc.ts';
import { errorTypeOf, OperationObservers } from './operation-observers.ts';
import { type Outcome, rejected } from './outcome.ts';
import { errorReply, httpErrorReply, type Reply } from './reply.ts';
import type { Decoded, Failure, Revision } from './revisions/revision.ts';
import { firstModern, servedRevisions } from './revisions/served.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Tasks } from './tasks/tasks.ts';

export interface EndpointParts {
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly dialogue: Dialogue;
  /** Absent where nothing keeps tasks. */
  readonly tasks?: Tasks | undefined;
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly maxBodyBytes: number;
}

/** The MCP endpoint. Of all of `mcp/` it alone knows HTTP requests. */
export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #revisions: Readonly<Record<Era, Revision>>;
  readonly #streams = new EventStreams();
  readonly #subscriptions: Subscriptions;
  readonly #observers: OperationObservers;

  constructor(parts: EndpointParts) {
    const { catalogue, metrics } = parts;
    this.#parts = parts;
    this.#subscriptions = new Subscriptions(parts.catalogue.changes);
    this.#revisions = servedRevisions({ ...parts, subscriptions: this.#subscriptions });
    this.#observers = new OperationObservers(metrics, (name) => catalogue.has(name));
  }

  /** Answer one HTTP request whose Host and Origin have been checked. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#streams.draining) response.setHeader('Connection', 'close');
    const refusal = classifyHead(request.method, request.headers);
    if (refusal) {
      sendReply(response, refusal);
      return;
    }
    const exchange = new Exchange(response, this.#streams);
    readBody(request, this.#parts.maxBodyBytes, (body) => {
      const reply = this.#serve(body, request.headers, exchange);
      if (reply) exchange.finish(reply);
    });
  }

  /** Close each connection after its next answer. */
  drain(): void {
    this.#streams.draining = true;
    this.#subscriptions.end();
  }

  /** Refuse a request before anything of it is read. */
  refuse(response: ServerResponse, { status, message }: ServiceError): void {
    sendReply(response, httpErrorReply(status, message, { headers: { Connection: 'close' } }));
  }

  /** Start what the body asks for, or give the answer when there is nothing to start. */
  #serve(body: Body, headers: IncomingHttpHeaders, exchange: Exchange): Reply | undefined {
    if (body === 'incomplete') return undefined;
    if (body === 'too large') {
      const text = `the body is larger than ${this.#parts.maxBodyBytes} bytes`;
      return httpErrorReply(413, text, { headers: { Connection: 'close' } });
    }
    const classified = classifyBody(body, headers, firstModern);
    if (classified.kind === 'refused') return classified.reply;
    try {
      return this.#start(classified, headers, exchange);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a request could not be read');
      const failure = { code: errorCode.internal, message: 'internal error' };
      return errorReply(500, failure, classified.message.id);
    }
  }

  #start(
    { era, message }: ClassifiedMessage,
    headers: IncomingHttpHeaders,
    exchange: Exchange,
  ): Reply | undefined {
    const revision = this.#revisions[era];
    if (!isRequest(message)) {
      const failure = revision.checkNotification(message, headers);
      return failure ? errorReply(failure.status, failure, undefined) : { status: 202, body: '' };
    }
    const accepted = acceptedBy(headers.accept);
    if (!isAnswerable(accepted, era)) {
      const text = 'Accept must list application/json and text/event-stream';
      return httpErrorReply(406, text, { id: message.id });
    }
    const decoded = revision.decode(message, headers);
    if (decoded.kind === 'failure') {
      this.#observeFailure(revision, message, decoded);
      return errorReply(decoded.status, decoded, message.id);
    }
    const { streams = false } = decoded.method;
    if (streams && !accepted.stream) {
      const text = `${message.method} is answered by events: Accept must list text/event-stream`;
      return httpErrorReply(406, text, { id: message.id });
    }
    exchange.onlyEvents = streams || !accepted.json;
    void this.#run(revision, decoded, message, exchange, accepted.stream);
    return undefined;
  }

  async #run(
    { encode }: Revision,
    decoded: Decoded,
    { id, method: name, params }: Request,
    exchange: Exchange,
    takesEvents: boolean,
  ): Promise<void> {
    const { method, version } = decoded;
    const observe = this.#observers.of(name, params);
    let outcome: Outcome;
    let reply: Reply;
    try {
      const caller = this.#parts.admission.authenticate('mcp');
      const side = clientSide(decoded, id, takesEvents ? exchange : undefined);
      outcome = await method.run(
        decoded.params ?? params,
        new Call(caller, exchange.response, side),
      );
      reply = encode(outcome, id, name);
    } catch (error) {
      if (error instanceof ClientGone) {
        observe(version, exchange.seconds(), 'client_gone');
        return;
      }
      outcome = this.#failed(error, name, decoded);
      reply = encode(outcome, id, name);
    }
    exchange.finish(reply);
    const errorType = errorTypeOf(outcome);
    observe(version, exchange.seconds(), errorType);
    if (!this.#parts.log.isLevelEnabled('debug')) return;
    this.#report(name, params, { ...logFields(decoded), seconds: exchange.seconds(), errorType });
  }

  /** Say what was done, but nothing of what it was done with: that may be secret. */
  #report(method: string, { name }: Params, fields: object): void {
    const subject = typeof name === 'string' ? name.slice(0, 128) : undefined;
    this.#parts.log.debug({ method, name: subject, ...fields }, 'answered');
  }

  #failed(error: unknown, method: string, decoded: Decoded): Outcome {
    if (error instanceof ServiceError) return { kind: 'refused', error };
    const errorId = randomUUID();
    const fields = { err: error, errorId, method, ...logFields(decoded) };
    this.#parts.log.error(fields, 'a request failed');
    return rejected(errorCode.internal, 'internal error', { errorId });
  }

  #observeFailure(revision: Revision, { method, params }: Request, { code }: Failure): void {
    if (!revision.methods.has(method)) return;
    this.#observers.of(method, params)('', 0, String(code));
  }
}

/** What a log entry says of the request besides its method. */
function logFields({ trace }: Decoded): { readonly traceId?: string } {
  return trace ? { traceId: traceIdOf(trace) } : {};
}

type Request = Message & { readonly id: RequestId };

function isRequest(message: Message): message is Request {
  return message.id !== undefined;
}

/** What the client wants to hear while its request is carried out, where it takes events at all. */
function clientSide(
  { client, progressToken, logLevel, headers, trace }: Decoded,
  requestId: RequestId,
  exchange: Exchange | undefined,
): ClientSide {
  if (!exchange) return { client, requestId, headers, trace };
  return {
    client,
    requestId,
    headers,
    trace,
    notify: exchange.notify.bind(exchange),
    progress:
      progressToken === undefined
        ? undefined
        : exchange.reportProgress.bind(exchange, progressToken),
    log: logLevel === undefined ? undefined : messagesFrom(logLevel, exchange),
  };
}

function messagesFrom(least: LogLevel, exchange: Exchange): NonNullable<ClientSide['log']> {
  const from = logLevels.indexOf(least);
  return (level, data, logger) => {
    if (logLevels.indexOf(level) < from) return;
    exchange.notify('notifications/message', { level, logger, data });
  };
}

/** Clients of the handshake era must take both kinds; others get the kind that they take. */
function isAnswerable({ json, stream }: Accepted, era: Era): boolean {
  return era === 'legacy' ? json && stream : json || stream;
}
