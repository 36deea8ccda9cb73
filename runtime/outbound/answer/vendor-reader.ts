import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { ToolRequest } from '#contract/request';
import type { VendorTool } from '#contract/tool';
import type { CallLife } from '../call/call-life.ts';
import type { Headers } from '../call/exchange.ts';
import { retrying } from '../call/retry.ts';
import { type Decoded, type Decoder, decode, empty } from '../content/decode.ts';
import { createXmlReader } from '../content/xml.ts';
import { observe } from '../rates/rate-feedback.ts';
import type { RateReport } from '../rates/rate-headers.ts';
import { idempotencyKey, withIdempotencyKey } from '../request/idempotency.ts';
import {
  type BaseHeaders,
  baseHeaders,
  encodeRequest,
  type Outgoing,
} from '../request/outgoing.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { type Received, transmit } from '../request/transmit.ts';
import { connectionFailure } from './connection-failure.ts';
import { isCacheable, type Kept, type ResponseCache } from './response-cache.ts';
import { bodyWait, type FailureContext, softFailure, statusFailure } from './vendor-failure.ts';

/** A successful answer, decoded. */
export interface Reading {
  readonly decoded: Decoded;
  readonly headers: Headers;
  readonly status: number;
  /** Where it came from, without the credential. */
  readonly url: URL;
}

/** What an earlier answer may spare, and where a new one is kept. */
interface Cached {
  readonly keep?: (received: Received) => void;
  readonly kept?: Kept;
}

/** Puts the requests of one tool to its vendor: limits, retries, redirections, cache. */
export class VendorReader {
  readonly #link: ProviderLink;
  readonly #tool: VendorTool;
  readonly #cache: ResponseCache;
  readonly #base: BaseHeaders;
  readonly #decoder: Decoder;
  readonly #context: FailureContext;
  /** The vendor's window that the last call fell into (see rate-headers.ts). */
  #window = '';

  constructor(link: ProviderLink, tool: VendorTool, cache: ResponseCache) {
    const { provider, retry, scrub } = link;
    const { idempotentHint, readOnlyHint } = tool.annotations;
    this.#link = link;
    this.#tool = tool;
    this.#cache = cache;
    this.#base = baseHeaders(link, tool);
    this.#decoder = {
      as: tool.response?.decode,
      html: tool.response?.markdown === true,
      xml: createXmlReader(tool.response),
    };
    this.#context = {
      provider,
      retry,
      scrub,
      xml: this.#decoder.xml,
      repeatable:
        readOnlyHint ||
        idempotentHint === true ||
        tool.vendorKey !== undefined ||
        !retry.onlyIdempotent,
    };
  }

  /** Whether sending a request twice does no harm. */
  get repeatable(): boolean {
    return this.#context.repeatable;
  }

  /**
   * Send what the tool describes and read the answer. The id of the call is only asked for where
   * a key is derived from it.
   *
   * @throws ToolError
   */
  read(request: ToolRequest, life: CallLife, call: Pick<CallContext, 'callId'>): Promise<Reading> {
    const { vendorKey, name } = this.#tool;
    const keyed =
      vendorKey === undefined
        ? request
        : withIdempotencyKey(request, vendorKey, idempotencyKey(name, call.callId));
    const outgoing = encodeRequest(this.#link, keyed);
    const ttlMs = outgoing.method === 'GET' ? this.#tool.cache?.ttlMs : undefined;
    if (ttlMs === undefined) return this.#fetch(outgoing, life);
    return this.#readThrough(outgoing, ttlMs, life);
  }

  async #readThrough(outgoing: Outgoing, ttlMs: number, life: CallLife): Promise<Reading> {
    const { clock, identity } = this.#link;
    const key = `${identity} ${this.#tool.name} ${outgoing.url.href} ${JSON.stringify(outgoing.headers)}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined && clock.now() < kept.freshUntil) return this.#open(kept);
    const keep = (received: Received) =>
      this.#cache.put(key, received, { ttlMs, now: clock.now() });
    if (kept?.etag === undefined) return this.#fetch(outgoing, life, { keep });
    const headers = { ...outgoing.headers, 'if-none-match': kept.etag };
    return this.#fetch({ ...outgoing, headers }, life, { keep, kept });
  }

  #fetch(outgoing: Outgoing, life: CallLife, cached: Cached = {}): Promise<Reading> {
    const { retry, clock } = this.#link;
    const { repeatable } = this.#context;
    const attempt = () => this.#attempt(outgoing, life, cached);
    return retrying(attempt, { policy: retry, repeatable, life, clock });
  }

  /** One attempt, with its place in the rate bucket. */
  async #attempt(outgoing: Outgoing, life: CallLife, cached: Cached): Promise<Reading> {
    const gate = this.#link.gate(outgoing.server.origin);
    const cost = this.#tool.rateCost ?? 1;
    const wait = gate.enter(cost, this.#window, life);
    if (wait !== undefined) await wait;
    let received: Received;
    try {
      const headOnly = this.#tool.response?.linkOnly === true;
      received = await transmit(this.#link, outgoing, { base: this.#base, life, headOnly });
      const report = observe(gate.bucket, received.answer, this.#link, cost);
      this.#window = report.window;
      this.#check(received, report, outgoing);
    } catch (error) {
      throw error instanceof ToolError ? error : connectionFailure(error, this.#context);
    } finally {
      gate.leave();
    }
    return this.#use(received, cached);
  }

  #use(received: Received, { keep, kept }: Cached): Reading {
    if (received.answer.status === 304 && kept !== undefined) {
      keep?.(kept);
      return this.#open(kept);
    }
    const reading = this.#open(received);
    if (isCacheable(received.answer)) keep?.(received);
    return reading;
  }

  #check({ answer }: Received, report: RateReport, { headers }: Outgoing): void {
    const { status } = answer;
    if ((status >= 200 && status < 300) || this.#isEmpty(status)) return;
    if (status === 304 && headers?.['if-none-match'] !== undefined) return;
    throw statusFailure(answer, report, this.#context);
  }

  #isEmpty(status: number): boolean {
    return this.#link.provider.errors?.emptyStatuses?.includes(status) === true;
  }

  #open({ answer, url }: Received): Reading {
    const { headers, status } = answer;
    if (this.#tool.response?.linkOnly === true || this.#isEmpty(status)) {
      return { decoded: empty, status, headers, url };
    }
    const decoded = decode(answer, this.#decoder);
    if (decoded.kind === 'value') {
      const failure = softFailure(decoded.value, status, this.#context);
      if (failure !== undefined) throw failure;
      const pause = bodyWait(decoded.value, this.#context);
      if (pause !== undefined) this.#link.gate(url.origin).bucket.close('', pause);
    }
    return { decoded, status, headers, url };
  }
}
