import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isObject } from '#contract/json';
import type { RequestId } from '../mcp/wire/json-rpc.ts';
import { EventData } from './event-data.ts';
import type { Outflow } from './outflow.ts';
import type { Outgoing } from './outgoing.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

/** No answer is larger. */
const mostAnswerBytes = 64 * 1024 * 1024;

/** A stream that the server has closed before its end is continued after this time. */
const continueMs = 100;

const initialized = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}');

/** Gives the client one message of the server, and waits while the client does not read. */
export type Tell = (message: Buffer | string) => Promise<void>;

/** What a legacy client and the server have agreed on, as far as headers have to repeat it. */
interface Handshake {
  readonly opening: Outgoing;
  readonly version: string | undefined;
  /** Absent where the server serves without sessions. */
  readonly session: string | undefined;
}

/** Who waits for what is said to one message. */
export interface Asker {
  readonly tell: Tell;
  readonly signal: AbortSignal;
  /** The answer has come, and waits until the client reads. */
  readonly onAnswer?: () => void;
}

export interface CourierParts {
  readonly upstream: Pick<Upstream, 'send'>;
  readonly log: Logger;
  /** Absent where each answer is wanted at once. */
  readonly outflow?: Outflow;
  /** Hears what the server says of its own accord, in the session of a legacy client. */
  readonly tell: Tell;
}

/** Brings the messages of one client to the MCP endpoint, and what it answers back. */
export class Courier {
  readonly #parts: CourierParts;
  readonly #ended = new AbortController();
  #handshake: Handshake | undefined;
  #renewal: Promise<void> | undefined;

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** The server knows the client beyond single requests. */
  get hasSession(): boolean {
    return this.#handshake?.session !== undefined;
  }

  /** Bring one message, and give what is said to it to its asker, the answer last. */
  async carry(message: Outgoing, { tell, signal, onAnswer }: Asker): Promise<void> {
    const answer = await this.#bring(message, signal);
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (isStream) {
      let last: Buffer | undefined;
      await this.#follow(answer, signal, async (data) => {
        last = data;
        await tell(data);
        return isAnswer(data);
      });
      if (message.method === 'initialize') this.#agree(message, answer, last);
      return;
    }
    if (!message.isAnswered) {
      const body = await bytesOf(answer);
      if (answer.statusCode !== 202) this.#parts.log.warn(body.toString('utf8', 0, 1024));
      else if (message.method === 'notifications/initialized') this.#listen();
      return;
    }
    onAnswer?.();
    const length = Number(answer.headers['content-length'] ?? mostAnswerBytes);
    const take = async () => {
      const body = await bytesOf(answer);
      if (message.method === 'initialize') this.#agree(message, answer, body);
      await tell(answer.statusCode === 200 ? body : withId(body, message.id));
    };
    const { outflow } = this.#parts;
    await (outflow ? outflow.hold(length, take) : take());
  }

  /** End the session of the client, if it has one. */
  async end(): Promise<void> {
    this.#ended.abort();
    if (!this.hasSession) return;
    const headers = headersOf(this.#handshake);
    const answer = await this.#parts.upstream.send({ method: 'DELETE', headers });
    answer.resume();
  }

  /** Send a message; a session that the server does not know any more is opened again. */
  async #bring(message: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
    const before = this.#handshake;
    const answer = await this.#post(message, before, signal);
    if (!before || message.isModern || message.method === 'initialize') return answer;
    const isLost =
      before.session === undefined
        ? answer.statusCode === 400 && message.isAnswered
        : answer.statusCode === 404;
    if (!isLost) return answer;
    answer.resume();
    if (this.#handshake === before) {
      this.#renewal ??= this.#renew(before.opening).finally(() => {
        this.#renewal = undefined;
      });
      await this.#renewal;
    }
    return this.#post(message, this.#handshake, signal);
  }

  #post(
    { bytes: body, isModern, method }: Outgoing,
    handshake: Handshake | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const isFirst = isModern || method === 'initialize';
    const headers = headersOf(isFirst ? undefined : handshake);
    return this.#parts.upstream.send({ method: 'POST', headers, body, signal });
  }

  async #renew(opening: Outgoing): Promise<void> {
    const { signal } = this.#ended;
    const silent: Asker = { tell: async () => {}, signal };
    await this.carry(opening, silent);
    const method = 'notifications/initialized';
    await this.carry({ ...opening, bytes: initialized, method, isAnswered: false }, silent);
    this.#parts.log.info('the session was opened again');
  }

  /** Remember what an answer to `initialize` says. */
  #agree(opening: Outgoing, { headers }: IncomingMessage, body: Buffer | undefined): void {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? 'null');
    if (!isObject(value) || !isObject(value['result'])) return;
    const { protocolVersion } = value['result'];
    const version = typeof protocolVersion === 'string' ? protocolVersion : undefined;
    this.#handshake = { opening, version, session: headers['mcp-session-id']?.toString() };
  }

  /** Hear what the server says in this session without being asked. */
  #listen(): void {
    const handshake = this.#handshake;
    if (handshake?.session === undefined) return;
    const { upstream, log, tell } = this.#parts;
    const { signal } = this.#ended;
    const isOver = () => this.#handshake !== handshake;
    const listen = async () => {
      const answer = await upstream.send({ method: 'GET', headers: headersOf(handshake), signal });
      if (answer.statusCode !== 200) return;
      await this.#follow(answer, signal, async (data) => {
        await tell(data);
        return isOver();
      });
    };
    listen().catch((error) => {
      if (!signal.aborted) log.debug({ err: error }, 'the stream of the session has ended');
    });
  }

  /** Read events until one is the last; a stream that can be continued is. */
  async #follow(
    first: IncomingMessage,
    signal: AbortSignal,
    take: (data: Buffer) => Promise<boolean>,
  ): Promise<void> {
    let answer = first;
    let lastId: string | undefined;
    for (;;) {
      const read: Buffer[] = [];
      const events = new EventData(mostAnswerBytes, (data) => read.push(data));
      for await (const chunk of answer) {
        // What the client does not read is left with the server.
        await this.#parts.outflow?.clear();
        events.push(chunk);
        for (const data of read.splice(0)) if (await take(data)) return;
      }
      lastId = events.lastId ?? lastId;
      if (lastId === undefined) throw new Error('the server has ended a stream without an answer');
      await sleep(continueMs, undefined, { signal });
      const headers = { ...headersOf(this.#handshake), 'Last-Event-ID': lastId };
      answer = await this.#parts.upstream.send({ method: 'GET', headers, signal });
      if (answer.statusCode !== 200) throw new Error('the server does not continue a stream');
    }
  }
}

function headersOf(handshake: Handshake | undefined): NonNullable<UpstreamRequest['headers']> {
  const { version, session } = handshake ?? {};
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(version !== undefined && { 'MCP-Protocol-Version': version }),
    ...(session !== undefined && { 'Mcp-Session-Id': session }),
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
