import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '#contract/errors';
import type { Log } from '#contract/house/log';
import { type Outbound, OutboundError } from '#contract/house/outbound';
import { isObject, type Json, type JsonObject } from '#contract/json';
import { atMost } from '#contract/memory/at-most';
import { issuerMetadata } from './issuer-keys.ts';
import { QuestionTurns } from './question-turns.ts';

export interface IntrospectionSettings {
  readonly issuer: string;
  /** What this server is called there, and what it proves that with. */
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface IntrospectionParts extends IntrospectionSettings {
  readonly outbound: Outbound;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a provider says of a token now (RFC 7662 section 2.2), and until when that is believed. */
export interface Introspection {
  /** Absent where the token is worth nothing. */
  readonly claims: JsonObject | undefined;
  /** It is of a kind about which the provider says nothing, such as JWTs at some of them. */
  readonly isUnsupported?: boolean;
  /** When it was asked, and until when that is believed; milliseconds since the epoch. */
  readonly askedAt: number;
  readonly until: number;
}

/** How long an answer is believed, in milliseconds: what is revoked passes for no longer. */
const believedMs = 30_000;
const mostAnswers = 10_000;
/** Of tokens worth nothing, which anybody can make up; they push no good ones out. */
const mostWorthless = 1000;
const mostBytes = 65_536;
const retryAfterMs = 5000;
/** A provider that is away is told of in the log once in this time, in milliseconds. */
const betweenLinesMs = 60_000;

/**
 * Asks the provider of the operator what its tokens are worth. One question for all who bring the
 * same token at the same time; nobody is refused for it that the provider cannot be asked: that is
 * no word about the token.
 */
export class ExternalIntrospection {
  readonly #parts: IntrospectionParts;
  readonly #answers = new LRUCache<string, Introspection>(atMost(mostAnswers));
  readonly #worthless = new LRUCache<string, Introspection>({ max: mostWorthless });
  readonly #turns = new QuestionTurns(unavailable);
  readonly #running = new Map<string, Promise<Introspection>>();
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IntrospectionParts) {
    this.#parts = parts;
  }

  /**
   * @param network from where the token comes, as one who may have many addresses counts
   * @throws ServiceError 503 where the provider cannot be asked, or its answer cannot be used
   */
  async ask(token: string, network = 'local'): Promise<Introspection> {
    const key = hash('sha256', token, 'base64url');
    const known = this.#answers.get(key) ?? this.#worthless.get(key);
    if (known && known.until > this.#parts.now()) return known;
    const running = this.#running.get(key);
    if (running) return running;
    const asked = this.#inTurn(token, network).finally(() => this.#running.delete(key));
    this.#running.set(key, asked);
    const answer = await asked;
    const isGood = answer.claims !== undefined || answer.isUnsupported === true;
    (isGood ? this.#worthless : this.#answers).delete(key);
    (isGood ? this.#answers : this.#worthless).set(key, answer);
    return answer;
  }

  async #inTurn(token: string, network: string): Promise<Introspection> {
    const leave = await this.#turns.enter(network);
    try {
      return await this.#ask(token);
    } finally {
      leave();
    }
  }

  async #ask(token: string): Promise<Introspection> {
    const { outbound, now, clientId, clientSecret } = this.#parts;
    // What is revoked after the question is asked may still be told as good.
    const askedAt = now();
    const until = askedAt + believedMs;
    try {
      const { status, body } = await outbound.fetch(await this.#endpoint(), {
        form: { token, token_type_hint: 'access_token' },
        headers: { authorization: basic(clientId, clientSecret) },
        accept: 'application/json',
        maxBytes: mostBytes,
      });
      const said = parse(body);
      if (status === 400 && said?.['error'] === 'unsupported_token_type') {
        return { claims: undefined, isUnsupported: true, askedAt, until };
      }
      if (status !== 200) throw new OutboundError('unusable', `it answered ${status}, not 200`);
      const claims = answered(said);
      return { claims: claims['active'] === true ? claims : undefined, askedAt, until };
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      this.#tell(err);
      throw unavailable('it cannot be asked now', err);
    }
  }

  async #endpoint(): Promise<string> {
    const { issuer, outbound } = this.#parts;
    const { introspection_endpoint: url } = (await issuerMetadata(issuer, outbound)) ?? {};
    if (typeof url === 'string') return url;
    throw new OutboundError('unusable', `the metadata of ${issuer} name no introspection_endpoint`);
  }

  /** Its credentials may be wrong, which only the operator can mend. */
  #tell(err: OutboundError): void {
    const { log, issuer, now } = this.#parts;
    if (now() - this.#toldAt < betweenLinesMs) return;
    this.#toldAt = now();
    log.warn({ err, issuer }, 'the provider of tokens cannot be asked what they are worth');
  }
}

function unavailable(why: string, cause?: unknown): ServiceError {
  const message = `the issuer of the token has to be asked what it is worth, and ${why}`;
  return new ServiceError('temporarily_unavailable', 503, message, { retryAfterMs, cause });
}

/** RFC 6749 section 2.3.1: both are encoded as in a form. */
function basic(id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`;
}

function parse(body: Uint8Array): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function answered(said: JsonObject | undefined): JsonObject {
  if (typeof said?.['active'] === 'boolean') return said;
  throw new OutboundError('unusable', 'its answer does not say whether the token is active');
}
