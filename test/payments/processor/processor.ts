import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import qs from 'qs';
import {
  type Books,
  type Dispute,
  type Intent,
  newBooks,
  type ProcessorEvent,
  Refused,
} from './books.ts';
import { type Asked, routes } from './routes.ts';

export const secretKey = 'sk_test_onlyfortests';
export const networkId = 'profile_test_1';

/** What goes wrong with the next request. */
export type Mishap =
  /** It is done, and no answer comes. */
  | 'done and silent'
  /** It is done, and the connection breaks before the answer. */
  | 'done and cut'
  /** It is done, and what answers is none of its answers. */
  | 'done and garbled'
  /** It is done, and its answer has no end. */
  | 'done and endless'
  /** It is done, and its answer names it by what is no id. */
  | 'done and misnamed'
  /** It is not done, and no answer comes. */
  | 'held'
  /** It is not done. */
  | 'broken'
  | 'busy';

interface Kept {
  readonly asked: Asked;
  answer?: { readonly status: number; readonly body: object };
}

/**
 * A processor of cards of this machine. It speaks as the real one does, as far as its official client
 * hears, and it remembers: tokens are used once, keys are answered as before, money adds up.
 */
export class Processor {
  readonly books: Books = newBooks();
  /** Everything that was asked of it. */
  readonly asked: Asked[] = [];
  /** By method and path, the next ones first. */
  readonly mishaps = new Map<string, Mishap[]>();
  readonly #keys = new Map<string, Kept>();
  readonly #server: Server;
  /** How much of answers without an end was taken, in bytes. */
  endless = 0;
  url = '';

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<Processor> {
    const processor = new Processor();
    await processor.listen(0);
    return processor;
  }

  async listen(port = Number(new URL(this.url).port)): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** A token as an agent gets it from its wallet: for one payment of at most so much. */
  mint(kind: Intent['ends'] = 'succeeded', token: Partial<Books['tokens'][string]> = {}): string {
    const id = `spt_${randomUUID().replaceAll('-', '')}`;
    this.books.tokens[id] = { ends: kind, most: 1_000_000, currency: 'usd', ...token };
    return id;
  }

  /** A bank takes the money of a charge back. */
  dispute(intent: string, status: Dispute['status'] = 'needs_response'): Dispute {
    const { amount } = this.books.intents[intent] ?? { amount: 0 };
    const id = `dp_${randomUUID().replaceAll('-', '')}`;
    const dispute: Dispute = { id, object: 'dispute', amount, payment_intent: intent, status };
    this.books.disputes[id] = dispute;
    return dispute;
  }

  /** Something that it tells. */
  event(type: string, object: object, created = Math.floor(Date.now() / 1000)): ProcessorEvent {
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    return { id, object: 'event', type, created, data: { object } };
  }

  /** Something of which it gives lists, whether it could tell it or not. */
  record(type: string, object: object): void {
    this.books.events.push(this.event(type, object));
  }

  happen(what: string, ...mishaps: Mishap[]): void {
    this.mishaps.set(what, mishaps);
  }

  /** What was taken and not given back, in minor units. */
  get balance(): number {
    const { intents, refunds } = this.books;
    const taken = Object.values(intents).filter(({ status }) => status === 'succeeded');
    const back = Object.values(refunds).filter(({ status }) => status === 'succeeded');
    const sum = (all: readonly { readonly amount: number }[]) =>
      all.reduce((total, { amount }) => total + amount, 0);
    return sum(taken) - sum(back);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '', this.url);
    const method = request.method ?? '';
    const body = qs.parse(await text(request), { depth: 8 });
    const query = qs.parse(search.slice(1), { depth: 8 });
    const asked: Asked = { method, path: pathname, input: { ...query, ...body } };
    this.asked.push(asked);
    const mishap = this.mishaps.get(`${method} ${pathname}`)?.shift();
    if (mishap === 'held') return;
    if (mishap === 'broken') return send(response, 500, errorOf('api_error', 'broken'));
    if (mishap === 'busy')
      return send(response, 429, errorOf('invalid_request_error', 'rate_limit'));
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return send(response, 401, errorOf('invalid_request_error', 'wrong key'));
    }
    const version = String(request.headers['stripe-version']);
    const key = request.headers['idempotency-key'];
    const { status, body: answer, isReplay } = this.#once(String(key ?? ''), asked, version);
    if (mishap === 'done and cut') {
      request.socket.destroy();
      return;
    }
    if (mishap === 'done and silent') return;
    if (mishap === 'done and garbled') {
      response.end('<html>oops');
      return;
    }
    if (mishap === 'done and endless') {
      response.write('{"id":"');
      const part = 'a'.repeat(1_048_576);
      while (!response.destroyed) {
        this.endless += part.length;
        if (!response.write(part))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      return;
    }
    if (mishap === 'done and misnamed') {
      send(response, status, { ...answer, id: 'p'.repeat(100) });
      return;
    }
    if (isReplay) response.setHeader('idempotent-replayed', 'true');
    send(response, status, answer);
  }

  /** A key is answered as before, and only for the same. */
  #once(key: string, asked: Asked, version: string) {
    const kept = key === '' || asked.method !== 'POST' ? undefined : this.#keys.get(key);
    if (kept?.answer) {
      if (isDeepStrictEqual(kept.asked, asked)) return { ...kept.answer, isReplay: true };
      const body = errorOf('idempotency_error', 'other parameters');
      return { status: 400, body, isReplay: false };
    }
    const answer = this.#answer(asked, version);
    if (key !== '') this.#keys.set(key, { asked, answer });
    return { ...answer, isReplay: false };
  }

  #answer(asked: Asked, version: string): { readonly status: number; readonly body: object } {
    for (const [method, pattern, handler] of routes) {
      const found = method === asked.method ? pattern.exec(asked.path) : null;
      if (found === null) continue;
      try {
        return {
          status: 200,
          body: handler(this.books, { ...asked, version, id: found[1] ?? '' }),
        };
      } catch (error) {
        if (error instanceof Refused) return { status: error.status, body: { error: error.told } };
        throw error;
      }
    }
    return { status: 404, body: errorOf('invalid_request_error', `no ${asked.path}`) };
  }
}

function errorOf(type: string, message: string) {
  return { error: { type, message } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify(body));
}
