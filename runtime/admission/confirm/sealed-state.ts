import { createHmac, hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ApprovalMark } from '#contract/client';
import { comparableText, isObject, type Json } from '#contract/json';

const lifetimeMs = 600_000;
/** A client that answers in turns of its own must not make the state grow without end. */
const mostCharacters = 65_536;

/** What a sealed state belongs to; with any other request it is worth nothing. */
export interface StateBinding {
  readonly method: string;
  readonly tenant: string;
  readonly subject: string;
  /** What the method acts on: its name or URI, and its arguments. */
  readonly target: Json;
}

export interface OpenedState {
  readonly round: number;
  readonly data: Json | undefined;
  /** Names this state, so that what acts on it can act once. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly approval: ApprovalMark | undefined;
}

/**
 * What the server has to remember between two turns of a question, kept by the client: it is sealed
 * with HMAC-SHA-256, bound to its request and its caller, and expires (MCP 2026-07-28, requestState).
 */
export class RequestStates {
  readonly #readKey: () => Buffer;
  #key: Buffer | undefined;
  readonly #now: () => number;

  /** `key` gives 32 bytes, the same ones on every replica; it is asked when it is first needed. */
  constructor(key: () => Buffer, now: () => number = Date.now) {
    this.#readKey = key;
    this.#now = now;
  }

  seal(
    binding: StateBinding,
    round: number,
    data: Json | undefined,
    approval?: ApprovalMark,
  ): string {
    const payload = {
      b: digestOf(binding),
      e: this.#now() + lifetimeMs,
      j: randomUUID(),
      r: round,
      ...(data !== undefined && { x: data }),
      ...(approval && { a: approval }),
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${this.#mac(text).toString('base64url')}`;
  }

  /** Nothing when the state was changed, is too old or belongs to another request. */
  open(sealed: string, binding: StateBinding): OpenedState | undefined {
    const [text = '', mac = '', ...rest] = sealed.slice(0, mostCharacters).split('.');
    const given = Buffer.from(mac, 'base64url');
    const wanted = this.#mac(text);
    if (rest.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      return undefined;
    }
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!isObject(payload) || payload['b'] !== digestOf(binding)) return undefined;
    const expires = Number(payload['e']);
    if (!(expires > this.#now())) return undefined;
    // Sealed by `seal` alone, which took JSON.
    const data = payload['x'] as Json | undefined;
    const approval = payload['a'] as ApprovalMark | undefined;
    return { round: Number(payload['r']), data, id: String(payload['j']), expires, approval };
  }

  #mac(text: string): Buffer {
    this.#key ??= this.#readKey();
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

function digestOf(binding: StateBinding): string {
  return hash('sha256', comparableText(binding), 'base64url');
}
