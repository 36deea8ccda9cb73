import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Admission } from '../admission/admission.ts';
import { Call, ClientGone } from '../admission/call.ts';
import type { RunningCalls } from '../admission/running-calls.ts';
import type { Catalogue } from '../catalogue.ts';
import { type Body, readBody } from '../http/read-body.ts';
import { type Accepted, acceptedBy } from './accept.ts';
import { classifyBody, classifyHead, type Era } from './classify.ts';
import { EventStreams } from './event-streams.ts';
import { Exchange, sendReply } from './exchange.ts';
import { errorCode, type Message, type RequestId } from './json-rpc.ts';
import { rejected } from './outcome.ts';
import { errorReply, httpErrorReply, type Reply } from './reply.ts';
import type { Decoded, Revision } from './revisions/revision.ts';
import { firstModern, servedRevisions } from './revisions/served.ts';

export interface EndpointParts {
  readonly catalogue: Catalogue;
  readonly admission: Admission;
  readonly running: RunningCalls;
  readonly log: Logger;
  readonly maxBodyBytes: number;
}

/** The MCP endpoint. Of all of `mcp/` it alone knows HTTP requests. */
export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #revisions: Readonly<Record<Era, Revision>>;
  readonly #streams = new EventStreams();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#revisions = servedRevisions(parts.catalogue, parts.running);
  }

  /** Answer one HTTP request whose Host and Origin have been checked. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal = classifyHead(request.method, request.headers);
    if (refusal) {
      sendReply(response, refusal);
      return;
    }
    readBody(request, this.#parts.maxBodyBytes, (body) => {
      const reply = this.#serve(body, request.headers, response);
      if (reply) sendReply(response, reply);
    });
  }

  /** Refuse a request because of where it comes from. */
  forbid(response: ServerResponse, reason: string): void {
    sendReply(response, httpErrorReply(403, reason, { headers: { Connection: 'close' } }));
  }

  /** Start what the body asks for, or give the answer when there is nothing to start. */
  #serve(body: Body, headers: IncomingHttpHeaders, response: ServerResponse): Reply | undefined {
    if (body === 'incomplete') return undefined;
    if (body === 'too large') {
      const text = `the body is larger than ${this.#parts.maxBodyBytes} bytes`;
      return httpErrorReply(413, text, { headers: { Connection: 'close' } });
    }
    const classified = classifyBody(body, headers, firstModern);
    if (classified.kind === 'refused') return classified.reply;
    const { era, message } = classified;
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
    if (decoded.kind === 'failure') return errorReply(decoded.status, decoded, message.id);
    void this.#run(revision, decoded, message, accepted, response);
    return undefined;
  }

  async #run(
    revision: Revision,
    { method, progressToken }: Decoded,
    { id, params }: Request,
    accepted: Accepted,
    response: ServerResponse,
  ): Promise<void> {
    const { admission, log } = this.#parts;
    const exchange = new Exchange(response, this.#streams, !accepted.json);
    const progress =
      progressToken === undefined || !accepted.stream
        ? undefined
        : exchange.reportProgress.bind(exchange, progressToken);
    const call = new Call(admission.authenticate('mcp'), response, progress);
    try {
      exchange.finish(revision.encode(await method.run(params, call), id));
    } catch (error) {
      if (error instanceof ClientGone) return;
      log.error({ err: error, callId: call.callId }, 'a request failed');
      const outcome = rejected(errorCode.internal, 'internal error', { callId: call.callId });
      exchange.finish(revision.encode(outcome, id));
    }
  }
}

type Request = Message & { readonly id: RequestId };

function isRequest(message: Message): message is Request {
  return message.id !== undefined;
}

/** Clients of the handshake era must take both kinds; others get the kind that they take. */
function isAnswerable({ json, stream }: Accepted, era: Era): boolean {
  return era === 'legacy' ? json && stream : json || stream;
}
