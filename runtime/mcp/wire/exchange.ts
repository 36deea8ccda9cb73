import type { ServerResponse } from 'node:http';
import { clock } from '../../process/clock.ts';
import type { EventStreams } from './event-streams.ts';
import type { Reply } from './reply.ts';
import { wellFormedJson } from './well-formed.ts';

/** The answer to one request: one JSON document, or events once there is something to say before it. */
export class Exchange {
  readonly response: ServerResponse;
  /** The client takes nothing but events. */
  onlyEvents = false;
  /** Bytes that may wait for the client; without it, as many as an answer may have. */
  mostUnread: number | undefined;
  readonly #streams: EventStreams;
  readonly #startedAt = clock.now();
  #streaming = false;

  constructor(response: ServerResponse, streams: EventStreams) {
    this.response = response;
    this.#streams = streams;
  }

  /** Seconds since the request began. */
  seconds(): number {
    return (clock.now() - this.#startedAt) / 1000;
  }

  /** Send something that needs no answer, before the answer. */
  notify(method: string, params: object): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    this.#event(wellFormedJson(JSON.stringify({ jsonrpc: '2.0', method, params })));
  }

  /** Answer, unless the client has left. */
  finish(reply: Reply): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (this.#streams.draining && !this.response.headersSent) {
      this.response.setHeader('Connection', 'close');
    }
    if (this.#streaming || (this.onlyEvents && reply.status === 200)) {
      const { body, rest } = reply;
      this.#event(rest ? Buffer.concat([Buffer.from(body), rest]) : body);
      this.response.end();
    } else {
      sendReply(this.response, reply);
    }
  }

  #event(message: string | Buffer): void {
    if (!this.#streaming) this.#streams.open(this.response);
    this.#streaming = true;
    this.#streams.send(this.response, message, this.mostUnread);
  }
}

/** Send a whole answer at once. */
export function sendReply(response: ServerResponse, { status, headers, body, rest }: Reply): void {
  const length = Buffer.byteLength(body) + (rest?.length ?? 0);
  if (length === 0) {
    response.writeHead(status, { 'Content-Length': '0', ...headers }).end();
    return;
  }
  const fields = ['Content-Type', 'application/json', 'Content-Length', String(length)];
  if (headers) for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  response.writeHead(status, fields);
  if (!rest) {
    // All of it is ASCII where it has as many bytes as characters; that encoding is the fastest.
    response.end(body, length === body.length ? 'latin1' : 'utf8');
    return;
  }
  response.cork();
  response.write(body);
  response.end(rest);
}
