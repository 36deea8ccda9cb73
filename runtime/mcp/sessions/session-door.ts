import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Exchange } from '../wire/exchange.ts';
import { errorCode, type RequestId } from '../wire/json-rpc.ts';
import { errorReply, refusalReply } from '../wire/reply.ts';
import type { SessionRequest, SessionsParts } from './session-parts.ts';
import type { Sessions } from './sessions.ts';

/** The way to the sessions. What serves them is loaded with the first request. */
export class SessionDoor {
  readonly #parts: SessionsParts;
  #opened: Promise<Sessions> | undefined;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  handle(request: SessionRequest, exchange: Exchange): void {
    void this.#handle(request, exchange);
  }

  /** End every session as soon as its calls have their answers. */
  drain(): void {
    // A failure to load has been told to whoever asked for it.
    this.#opened?.then((sessions) => sessions.drain()).catch(() => {});
  }

  async #handle(request: SessionRequest, exchange: Exchange): Promise<void> {
    const { log } = this.#parts;
    const id = request.kind === 'message' ? request.message.id : undefined;
    try {
      const caller = await request.caller;
      if (request.kind === 'message') await this.#requireScopes(request, caller);
      this.#opened ??= open(this.#parts);
      const sessions = await this.#opened;
      const reply = await sessions.serve(request, caller, exchange);
      if (reply) exchange.finish(reply);
    } catch (error) {
      if (error instanceof ServiceError) {
        exchange.finish(refusalReply(error, id));
        return;
      }
      log.error({ err: error }, 'a request of a session failed');
      exchange.finish(internalError(id));
    }
  }

  /**
   * Refuse a tool whose scopes its caller lacks before a stream is open for the answer: only the
   * status and the challenge of an HTTP answer make a client ask for more (MCP, authorization).
   */
  async #requireScopes({ message, arrival }: SessionMessage, caller: Caller): Promise<void> {
    const { catalogue, admission } = this.#parts;
    const { method, params } = message;
    const { name } = params;
    if (method !== 'tools/call' || typeof name !== 'string') return;
    const tool = await catalogue.find(name, caller.tenant);
    if (tool) admission.requireScopes(tool.definition, caller, arrival);
  }
}

type SessionMessage = SessionRequest & { readonly kind: 'message' };

async function open(parts: SessionsParts): Promise<Sessions> {
  const { Sessions } = await import('./sessions.ts');
  return new Sessions(parts);
}

function internalError(id: RequestId | undefined) {
  return errorReply(500, { code: errorCode.internal, message: 'internal error' }, id);
}
