import { LRUCache } from 'lru-cache';
import {
  type DocumentRules,
  OutboundError,
  type StrangerAnswer,
  type StrangerDocument,
} from '#contract/house/outbound';
import { isObject, type Json, type JsonObject } from '#contract/json';
import type { TenantTurns } from './host-turns.ts';
import type { StrangerFetch } from './stranger-fetch.ts';

/** Of all documents of one tenant together. */
const mostBytes = 8 * 1024 * 1024;
const mostFailures = 1000;

interface Kept extends StrangerDocument {
  readonly until: number;
}

interface Failure {
  readonly error: OutboundError;
  readonly at: number;
}

/** Documents of strangers that one tenant needs: one fetch for all who ask at the same time, and what came is kept. */
export class KeptDocuments {
  readonly #fetch: StrangerFetch;
  readonly #now: () => number;
  readonly #turns: TenantTurns;
  readonly #kept = new LRUCache<string, Kept>({ maxSize: mostBytes });
  readonly #failures = new LRUCache<string, Failure>({ max: mostFailures });
  readonly #running = new Map<string, Promise<StrangerDocument>>();

  constructor(fetch: StrangerFetch, turns: TenantTurns, now: () => number = Date.now) {
    this.#fetch = fetch;
    this.#now = now;
    this.#turns = turns;
  }

  /** @throws OutboundError */
  async document(url: string, rules: DocumentRules): Promise<StrangerDocument> {
    const now = this.#now();
    const kept = this.#kept.get(url);
    if (kept && kept.until > now && kept.fetchedAt >= (rules.since ?? 0)) return kept;
    const failure = this.#failures.get(url);
    if (failure && failure.at + (rules.failureMs ?? 0) > now) throw failure.error;
    const running = this.#running.get(url);
    if (running) return running;
    const begun = this.#begin(url, rules).finally(() => this.#running.delete(url));
    this.#running.set(url, begun);
    return begun;
  }

  async #begin(url: string, rules: DocumentRules): Promise<StrangerDocument> {
    const leave = this.#turns.enter(url);
    try {
      const fetchedAt = this.#now();
      const accept = 'application/json';
      const answer = await this.#fetch(url, { accept, maxBytes: rules.maxBytes });
      const value = parseDocument(answer);
      const until = fetchedAt + lifetimeOf(answer, rules);
      const kept = { value, fetchedAt, until };
      this.#kept.set(url, kept, { size: Math.max(1, answer.body.length) });
      this.#failures.delete(url);
      return kept;
    } catch (error) {
      if (error instanceof OutboundError) this.#failures.set(url, { error, at: this.#now() });
      throw error;
    } finally {
      leave();
    }
  }
}

/** @throws OutboundError `unusable` */
function parseDocument({ status, headers, body }: StrangerAnswer): JsonObject {
  if (status !== 200) throw unusable(`the status is ${status}, not 200`);
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:json|[\w.+-]+\+json)$/.test(type)) throw unusable('it is not JSON');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw unusable('it is not JSON', error);
  }
  throw unusable('it is no JSON object');
}

function unusable(reason: string, cause?: unknown): OutboundError {
  return new OutboundError('unusable', `the document cannot be used: ${reason}`, cause);
}

/** What Cache-Control says (RFC 9111 section 5.2.2), within what is permitted. */
function lifetimeOf({ headers }: StrangerAnswer, { keepMs }: DocumentRules): number {
  const control = headers['cache-control'] ?? '';
  const seconds = /(?:^|[,\s])max-age="?(\d{1,9})/i.exec(control)?.[1];
  const asked = /no-store|no-cache/i.test(control) ? 0 : Number(seconds ?? 0) * 1000;
  return Math.min(Math.max(asked, keepMs.least), keepMs.most);
}
