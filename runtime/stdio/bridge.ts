import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { isObject, type JsonObject } from '#contract/json';
import { metaOf, protocolVersionKey } from '../mcp/classify.ts';
import { codeOfStatus, errorCode, idOf, isRequestId, type RequestId } from '../mcp/json-rpc.ts';
import { errorReply } from '../mcp/reply.ts';
import { StartError } from '../start-error.ts';
import { EventData } from './event-data.ts';
import { idOfLong } from './long-message.ts';
import type { Upstream } from './upstream.ts';

/** Requests that one client may have open; more of them are refused. */
const mostOpen = 1024;

/** No answer is larger. */
const mostAnswerBytes = 256 * 1024 * 1024;

export interface BridgeParts {
  readonly upstream: Pick<Upstream, 'send'>;
  readonly output: Writable;
  readonly log: Logger;
  readonly maxLineBytes: number;
}

/** What the bridge has to know of a message; the server checks all the rest. */
interface Outgoing {
  readonly bytes: Buffer;
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
  readonly isModern: boolean;
  /** Notifications and responses are not answered. */
  readonly isAnswered: boolean;
}

/** Carries the messages of one client on standard input and output to the MCP endpoint and back. */
export class Bridge {
  readonly #parts: BridgeParts;
  readonly #open = new Map<Outgoing, AbortController>();
  readonly #work = new Set<Promise<void>>();
  /** The handshake of a legacy client: what follows it waits for its end. */
  #handshake: Promise<void> | undefined;
  #version: string | undefined;
  #unanswered = 0;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** Wait until no more than so many bytes of messages are on their way. */
  async below(bytes: number): Promise<void> {
    while (this.#unanswered > bytes) await Promise.race(this.#work);
  }

  /** Take one line of input. */
  take(bytes: Buffer): void {
    const text = bytes.toString('utf8');
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const message = `the line is not JSON: ${(error as Error).message}`;
      this.#say(errorText(errorCode.parse, message, undefined));
      return;
    }
    const message = outgoing(bytes, value);
    if (message.method === 'notifications/cancelled') this.#cancel(value);
    else this.#begin(message);
  }

  /** Refuse a line of which only the two ends are known. */
  refuseLong(start: Buffer, end: Buffer): void {
    const message = `the message is longer than ${this.#parts.maxLineBytes} bytes`;
    this.#say(errorText(codeOfStatus(413), message, idOfLong(start, end)));
  }

  /** Nothing more will be asked: wait for the answers, but not for subscriptions. */
  async finish(): Promise<void> {
    for (const [{ method }, controller] of this.#open) {
      if (method === 'subscriptions/listen') controller.abort();
    }
    await Promise.all(this.#work);
  }

  /** Give up everything that is on its way. */
  abort(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  #cancel(value: unknown): void {
    const params = isObject(value) && isObject(value['params']) ? value['params'] : {};
    for (const [{ id }, controller] of this.#open) {
      if (id !== undefined && id === params['requestId']) controller.abort();
    }
  }

  #begin(message: Outgoing): void {
    if (this.#open.size >= mostOpen) {
      const text = `at most ${mostOpen} requests may be open at once`;
      if (message.isAnswered) this.#say(errorText(codeOfStatus(503), text, message.id));
      return;
    }
    const controller = new AbortController();
    this.#open.set(message, controller);
    this.#unanswered += message.bytes.length;
    const work = this.#carry(message, controller.signal).finally(() => {
      this.#open.delete(message);
      this.#work.delete(work);
      this.#unanswered -= message.bytes.length;
    });
    this.#work.add(work);
    if (message.method === 'initialize') this.#handshake = work;
  }

  /** Bring a message to the server, and what the server says to it to the client. */
  async #carry(message: Outgoing, signal: AbortSignal): Promise<void> {
    if (!message.isModern) await this.#handshake;
    const tell = (text: Buffer | string) => {
      if (!signal.aborted) this.#say(text);
    };
    try {
      signal.throwIfAborted();
      const headers = this.#headersOf(message);
      const { bytes: body } = message;
      const answer = await this.#parts.upstream.send({ method: 'POST', headers, body, signal });
      await this.#pass(message, answer, tell);
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.log.warn({ err: error, method: message.method }, 'a message was not answered');
      if (message.isAnswered) tell(failureText(error, message.id));
    }
  }

  #headersOf({ method, isModern }: Outgoing): Record<string, string> {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    if (isModern || method === 'initialize' || this.#version === undefined) return headers;
    return { ...headers, 'MCP-Protocol-Version': this.#version };
  }

  async #pass(
    message: Outgoing,
    answer: IncomingMessage,
    tell: (text: Buffer | string) => void,
  ): Promise<void> {
    if (answer.headers['content-type']?.startsWith('text/event-stream')) {
      let isOver = false;
      const events = new EventData(mostAnswerBytes, (data) => {
        tell(data);
        isOver = isAnswer(data);
      });
      for await (const chunk of answer) {
        events.push(chunk);
        await this.#drained();
      }
      if (!isOver) throw new Error('the server has ended the stream without an answer');
      return;
    }
    const body = await bytesOf(answer);
    if (!message.isAnswered) {
      if (answer.statusCode !== 202) this.#parts.log.warn(body.toString('utf8', 0, 1024));
      return;
    }
    if (message.method === 'initialize') this.#version = versionIn(body);
    tell(answer.statusCode === 200 ? body : withId(body, message.id));
    await this.#drained();
  }

  #say(text: Buffer | string): void {
    const { output } = this.#parts;
    if (output.destroyed || output.writableEnded) return;
    output.cork();
    output.write(text);
    output.write('\n');
    output.uncork();
  }

  /** Read no more from the server than the client reads from us. */
  async #drained(): Promise<void> {
    const { output } = this.#parts;
    if (output.writableNeedDrain) await once(output, 'drain');
  }
}

function outgoing(bytes: Buffer, value: unknown): Outgoing {
  const { method, params, id, result, error } = isObject(value) ? value : ({} as JsonObject);
  const isCall = typeof method === 'string';
  return {
    bytes,
    id: idOf(value),
    method: isCall ? method : undefined,
    isModern: isObject(params) && metaOf(params)[protocolVersionKey] !== undefined,
    isAnswered: isCall ? isRequestId(id) : result === undefined && error === undefined,
  };
}

/** A message that ends the stream of a request: it has a result or an error. */
function isAnswer(data: Buffer): boolean {
  const value: unknown = JSON.parse(data.toString('utf8'));
  return isObject(value) && value['method'] === undefined;
}

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostAnswerBytes) throw new Error('the answer of the server is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An error of the server, with the id of the request also where the server could not read it. */
function withId(body: Buffer, id: RequestId | undefined): string {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (!isObject(value) || !isObject(value['error'])) throw new Error('the server has not answered');
  return JSON.stringify({ ...value, id: value['id'] ?? id ?? null });
}

function versionIn(body: Buffer): string | undefined {
  const value: unknown = JSON.parse(body.toString('utf8'));
  const result = isObject(value) && isObject(value['result']) ? value['result'] : {};
  const { protocolVersion } = result;
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

function failureText(error: unknown, id: RequestId | undefined): string {
  if (error instanceof StartError) return errorText(codeOfStatus(503), error.message, id);
  const message = 'the server ended before it had answered; whether this took effect is unknown';
  return errorText(codeOfStatus(502), message, id);
}

function errorText(code: number, message: string, id: RequestId | undefined): string {
  return errorReply(200, { code, message }, id).body;
}
