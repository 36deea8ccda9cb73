import type { ServerResponse } from 'node:http';

/** A client that lets this many bytes of an answer pile up does not read its stream. */
const mostOfAnswer = 8 * 1024 * 1024;

/** The same where small notices come now and then: such streams are many, and they stay. */
export const mostOfNotices = 64 * 1024;

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Answers that are sent as events; a comment now and then keeps proxies from closing them. */
export class EventStreams {
  /** The server stops: no connection is kept open for another request. */
  draining = false;
  readonly #open = new Set<ServerResponse>();
  readonly #keepAliveMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(keepAliveMs = 15_000) {
    this.#keepAliveMs = keepAliveMs;
  }

  open(response: ServerResponse, more?: Readonly<Record<string, string>>): void {
    response.writeHead(200, more ? { ...headers, ...more } : headers);
    response.once('close', () => this.#open.delete(response));
    this.#open.add(response);
    this.#timer ??= this.#wake();
  }

  /** Send one JSON-RPC message, given as JSON text. */
  send(response: ServerResponse, message: string | Buffer, mostUnread = mostOfAnswer): void {
    if (!isRead(response, mostUnread)) return;
    if (typeof message === 'string') {
      response.write(`event: message\ndata: ${message}\n\n`);
      return;
    }
    response.cork();
    response.write('event: message\ndata: ');
    response.write(message);
    response.write('\n\n');
    response.uncork();
  }

  /** Send what is an event already. */
  pass(response: ServerResponse, event: string | Uint8Array, mostUnread = mostOfAnswer): void {
    if (isRead(response, mostUnread)) response.write(event);
  }

  #wake(): NodeJS.Timeout {
    return setTimeout(() => {
      for (const response of this.#open) response.write(': keep-alive\n\n');
      this.#timer = this.#open.size > 0 ? this.#wake() : undefined;
    }, this.#keepAliveMs).unref();
  }
}

/** One message may be large: what counts is what has not gone out before it. */
function isRead(response: ServerResponse, mostUnread: number): boolean {
  if (response.writableLength <= mostUnread) return true;
  response.destroy();
  return false;
}
