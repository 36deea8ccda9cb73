import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { jsonFault } from '#contract/text/json-fault';
import { excessOfJson } from '#contract/text/json-size';
import { codeOfStatus, errorCode, type RequestId } from '../mcp/wire/json-rpc.ts';
import { endBytes, idOfLong } from '../mcp/wire/long-message.ts';
import { errorReply } from '../mcp/wire/reply.ts';
import { StartError } from '../process/start-error.ts';
import { Courier } from './courier.ts';
import { Outflow } from './outflow.ts';
import { type Outgoing, outgoing } from './outgoing.ts';
import type { Upstream } from './upstream.ts';
import { Window } from './window.ts';

/** Requests that one client may have open; more of them are refused. */
const mostOpen = 1024;

/** With so many, no more are read, unless all of them may be waiting for what comes next. */
const fewOpen = 768;

/** Messages of so many bytes wait for their answers; then no more are read. */
const mostUnanswered = 16 * 1024 * 1024;

/** Bytes of errors about lines that the client has not read; then no more lines are read. */
const mostComplaints = 256 * 1024;

/** So long it is waited for an answer before more is read than `fewOpen`. */
const patienceMs = 250;

/** A client that asks no more and reads nothing for so long has left. */
const mostUnreadMs = 5000;

export interface BridgeParts {
  readonly upstream: Pick<Upstream, 'send'>;
  readonly output: Writable;
  readonly log: Logger;
  readonly maxLineBytes: number;
}

/** Carries the messages of one client on standard input and output to the MCP endpoint and back. */
export class Bridge {
  readonly #parts: BridgeParts;
  readonly #outflow: Outflow;
  readonly #window: Window;
  readonly #courier: Courier;
  readonly #open = new Map<Outgoing, AbortController>();
  readonly #work = new Set<Promise<void>>();
  /** The handshake of a legacy client: what follows it waits for its end. */
  #handshake: Promise<void> | undefined;
  #unanswered = 0;
  #complaints = 0;
  /** The next end of something that is open. */
  #end = Promise.withResolvers<void>();

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    const outflow = new Outflow(parts.output);
    this.#outflow = outflow;
    this.#window = new Window(() => outflow.isBlocked);
    this.#courier = new Courier({ ...parts, outflow, tell: (message) => this.#say(message) });
  }

  /** Take one line of input. */
  take(bytes: Buffer): void {
    // What a shell puts before its first line (RFC 8259, section 8.1).
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    if (text.trim() === '') return;
    const excess = excessOfJson(text);
    if (excess !== undefined) {
      this.#refuse(bytes, bytes, `the message ${excess}`);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const message = `the line is not JSON: ${jsonFault(text)}`;
      this.#reply(errorText(errorCode.parse, message, undefined));
      return;
    }
    // A copy, or else all that was read with it would stay in memory.
    const message = outgoing(Buffer.from(bytes), value);
    if (message.cancels !== undefined) this.#cancel(message.cancels);
    // Without a session, the end of its HTTP request has told the server.
    if (message.cancels === undefined || this.#courier.hasSession) this.#begin(message);
  }

  /** Refuse a line of which only the two ends are known. */
  refuseLong(start: Buffer, end: Buffer): void {
    this.#refuse(start, end, `the message is longer than ${this.#parts.maxLineBytes} bytes`);
  }

  /**
   * Wait until more can be read: a client that does not read its answers is not read either. Where
   * many requests are open and none of them is answered, they may wait for what the client says next.
   */
  async ready(): Promise<void> {
    while (this.#complaints > mostComplaints) await this.#outflow.clear();
    while (this.#unanswered > mostUnanswered) await this.#end.promise;
    while (this.#open.size >= fewOpen) {
      await this.#outflow.clear();
      const before = this.#open.size;
      await Promise.race([this.#end.promise, sleep(patienceMs)]);
      if (this.#open.size >= before && !this.#outflow.isBlocked) return;
    }
  }

  /**
   * Nothing more will be asked: wait for the answers as long as the client reads them, but not for
   * subscriptions.
   */
  async finish(): Promise<void> {
    for (const [{ method }, controller] of this.#open) {
      if (method === 'subscriptions/listen') controller.abort();
    }
    const answered = new AbortController();
    const left = this.#outflow.abandoned(mostUnreadMs, answered.signal).then(
      () => this.#giveUp(),
      () => {},
    );
    await Promise.race([Promise.all(this.#work), left]);
    answered.abort();
    await this.#courier.end().catch(() => {});
  }

  /** Wait for at most `ms` milliseconds until the client has read everything, and say whether it has. */
  flushed(ms: number): Promise<boolean> {
    return this.#outflow.flushed(ms);
  }

  /** Give up everything that is on its way. */
  abort(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  #giveUp(): void {
    this.#parts.log.warn('the client has closed its end and does not read its answers');
    this.abort();
  }

  #refuse(start: Buffer, end: Buffer, message: string): void {
    const id = idOfLong(start.subarray(0, endBytes), end.subarray(-endBytes));
    this.#reply(errorText(codeOfStatus(413), message, id));
  }

  #cancel(requestId: RequestId): void {
    for (const [{ id, isAnswered }, controller] of this.#open) {
      if (isAnswered && id === requestId) controller.abort();
    }
  }

  #begin(message: Outgoing): void {
    if (this.#open.size >= mostOpen) {
      const text = `at most ${mostOpen} requests may be open at once`;
      if (message.isAnswered) this.#reply(errorText(codeOfStatus(503), text, message.id));
      return;
    }
    const controller = new AbortController();
    this.#open.set(message, controller);
    this.#unanswered += message.bytes.length;
    const work = this.#carry(message, controller.signal).finally(() => {
      this.#open.delete(message);
      this.#work.delete(work);
      this.#unanswered -= message.bytes.length;
      this.#end.resolve();
      this.#end = Promise.withResolvers();
    });
    this.#work.add(work);
    if (message.method === 'initialize') this.#handshake = work;
  }

  async #carry(message: Outgoing, signal: AbortSignal): Promise<void> {
    if (!message.isModern) await this.#handshake;
    const tell = async (text: Buffer | string) => {
      if (!signal.aborted) await this.#say(text);
    };
    // What is not answered needs no place, and what waits for it may have one.
    const place = message.isAnswered ? await this.#window.enter() : undefined;
    const onAnswer = () => place?.hold();
    try {
      signal.throwIfAborted();
      await this.#courier.carry(message, { tell, signal, onAnswer });
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.log.warn({ err: error, method: message.method }, 'a message was not answered');
      if (message.isAnswered) await tell(failureText(error, message.id));
    } finally {
      place?.leave();
    }
  }

  /** Answer what never leaves this process. */
  #reply(text: string): void {
    this.#complaints += text.length;
    void this.#say(text).finally(() => {
      this.#complaints -= text.length;
    });
  }

  /** Write one message; the server is read no faster than the client reads us. */
  async #say(text: Buffer | string): Promise<void> {
    await this.#outflow.say(text);
    this.#window.next();
  }
}

function failureText(error: unknown, id: RequestId | undefined): string {
  if (error instanceof StartError) return errorText(codeOfStatus(503), error.message, id);
  const message = 'the server ended before it had answered; whether this took effect is unknown';
  return errorText(codeOfStatus(502), message, id);
}

function errorText(code: number, message: string, id: RequestId | undefined): string {
  return errorReply(200, { code, message }, id).body;
}
