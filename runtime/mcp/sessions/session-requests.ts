import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Arrival } from '#contract/arrival';
import type { InputRequests } from '#contract/client';
import { ToolError } from '#contract/errors';
import type { OpenSpan } from '#contract/telemetry/span';
import { type Call, ClientGone } from '../../admission/call.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import type { RequestRecords } from '../request/request-records.ts';
import type { Decoded, Revision } from '../request/revision.ts';
import { codeOfStatus, errorCode, type Request, type RequestId } from '../wire/json-rpc.ts';
import type { Reply, RpcError } from '../wire/reply.ts';
import { askClient, NoAnswer } from './session-client.ts';

/** A request that is being carried out. */
export interface Running {
  readonly message: Request;
  readonly decoded: Decoded;
  readonly call: Call;
  /** Where it is traced. */
  readonly span: OpenSpan | undefined;
}

/** An error of JSON-RPC, in the form in which the SDK takes it. */
class RpcFailure extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The requests of one session that are being carried out. */
export class SessionRequests {
  readonly #server: Server;
  readonly #revision: Revision;
  readonly #records: RequestRecords;
  readonly #running = new Map<RequestId, Running>();
  readonly #asking = new Set<Call>();
  #stopped: Error | undefined;

  constructor(server: Server, revision: Revision, records: RequestRecords) {
    this.#server = server;
    this.#revision = revision;
    this.#records = records;
  }

  get size(): number {
    return this.#running.size;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  /** The span of a request that begins now; nothing where it is not traced. */
  span(message: Request, decoded: Decoded, arrival: Arrival): OpenSpan | undefined {
    return this.#records.span(message, decoded, arrival);
  }

  add(running: Running): void {
    this.#running.set(running.message.id, running);
  }

  remove(id: RequestId): void {
    this.#running.delete(id);
  }

  abort(id: RequestId, reason: Error): void {
    this.#running.get(id)?.call.abort(reason);
  }

  abortAll(reason: Error): void {
    for (const { call } of this.#running.values()) call.abort(reason);
  }

  /** Ask clients nothing more, and wait for no answer. */
  stopAsking(reason: Error): void {
    this.#stopped = reason;
    for (const call of this.#asking) call.abort(reason);
  }

  /**
   * Carry a request out, and give its result.
   *
   * @throws RpcFailure
   */
  async answer(id: RequestId): Promise<Record<string, unknown>> {
    const running = this.#running.get(id);
    if (!running) throw new Error('the request is not known');
    try {
      return resultOf(await this.#replyTo(running));
    } finally {
      this.#running.delete(id);
    }
  }

  async #replyTo(running: Running): Promise<Reply> {
    const { message, decoded, span } = running;
    const observe = this.#records.observer(message);
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1000;
    let outcome: Outcome;
    try {
      outcome = await this.#carryOut(running);
    } catch (error) {
      if (error instanceof ClientGone) {
        observe(decoded.version, elapsed(), 'client_gone', span?.context);
        span?.end('client_gone');
        // A client that can resume would come back for the answer of a stream that ends without
        // one, so the end of a cancelled request is told, though nobody waits for it.
        throw new RpcFailure({ code: codeOfStatus(499), message: 'the request was cancelled' });
      }
      outcome = this.#records.failed(error, message, decoded);
    }
    this.#records.answered(observe, message, decoded, { outcome, seconds: elapsed(), span });
    return this.#revision.encode(outcome, message.id, message.method);
  }

  /** Run the method, and run it again with the client's answers for as long as it asks. */
  async #carryOut({ message, decoded, call }: Running): Promise<Outcome> {
    const { id, method } = message;
    const given = decoded.params ?? message.params;
    let params = given;
    for (;;) {
      const outcome = await decoded.method.run(params, call);
      if (outcome.kind !== 'inputRequired') return outcome;
      const { requests, requestState } = outcome;
      try {
        const inputResponses = await this.#ask(requests, id, call);
        // How often, and for how long, is bounded by the state (`Dialogue`).
        params = { ...given, inputResponses, requestState };
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        return unanswered(error, method);
      }
    }
  }

  async #ask(requests: InputRequests, requestId: RequestId, call: Call) {
    if (this.#stopped) throw this.#stopped;
    this.#asking.add(call);
    try {
      return await askClient(this.#server, requests, { requestId, signal: call.signal });
    } finally {
      this.#asking.delete(call);
    }
  }
}

function unanswered({ message }: NoAnswer, method: string): Outcome {
  const text = `this needs an answer of the user: ${message}`;
  return method === 'tools/call'
    ? { kind: 'toolError', error: new ToolError('confirmation_required', text) }
    : rejected(errorCode.invalidRequest, text);
}

/** What stands in a reply. The SDK writes the message itself, with the id of the request. */
function resultOf({ body, rest }: Reply): Record<string, unknown> {
  const { result, error } = JSON.parse(rest ? body + rest.toString('utf8') : body);
  if (error) throw new RpcFailure(error);
  return result;
}
