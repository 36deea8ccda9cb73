import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { ToolRequest } from '#contract/request';
import type { VendorTool } from '#contract/tool';
import type { CallLife } from '../call/call-life.ts';
import { type Answer, type Headers, headerOf } from '../call/exchange.ts';
import { isRefusal, retrying } from '../call/retry.ts';
import { unreadable } from '../call/unusable-answer.ts';
import { type Decoder, decode, empty } from '../content/decode.ts';
import { type Digest, type DigestJob, decoderOf, type Wanted } from '../digest/digest.ts';
import { type DigestPlan, planOf } from '../digest/digest-plan.ts';
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
import { isRedirect, locationOf, type Received, transmit } from '../request/transmit.ts';
import { afterSeeOther, connectionFailure, unusedAnswer } from './connection-failure.ts';
import { isCacheable, type Kept, type ResponseCache } from './response-cache.ts';
import {
  bodyWait,
  type FailureContext,
  softFailure,
  statusFailure,
  waitMs,
} from './vendor-failure.ts';

/** A successful answer, decoded; of a large one, what a result can hold. */
export interface Reading {
  readonly decoded: Digest;
  readonly headers: Headers;
  readonly status: number;
  /** Where it came from, without the credential. */
  readonly url: URL;
}

/** For whom it is read, and what a key for the vendor is derived from. */
type ReadFor = Pick<CallContext, 'callId' | 'actId' | 'mayBeDone'> & {
  readonly caller: Pick<CallContext['caller'], 'tenant'>;
};

/** What an earlier answer may spare, and where a new one is kept. */
interface Cached {
  readonly keep?: (received: Received) => void;
  readonly kept?: Kept;
}

/** A request, and what of the answer is wanted. */
interface Asked {
  readonly outgoing: Outgoing;
  readonly wanted: () => Wanted;
  readonly life: CallLife;
  readonly call: ReadFor;
  readonly tenant: string;
}

/** An answer without a body that was made or taken on is told by its address. */
const saysWhere: ReadonlySet<number> = new Set([201, 202]);

/** Puts the requests of one tool to its vendor: limits, retries, redirections, cache. */
export class VendorReader {
  readonly #link: ProviderLink;
  readonly #tool: VendorTool;
  readonly #cache: ResponseCache;
  readonly #base: BaseHeaders;
  readonly #plan: DigestPlan;
  readonly #decoder: Decoder;
  readonly #context: FailureContext;
  /** Nothing but the key of the vendor makes a repetition harmless. */
  readonly #isKeyed: boolean;
  /** The vendor's window that the last call fell into (see rate-headers.ts). */
  #window = '';

  constructor(link: ProviderLink, tool: VendorTool, cache: ResponseCache) {
    const { provider, retry, scrub } = link;
    const { idempotentHint, readOnlyHint } = tool.annotations;
    this.#link = link;
    this.#tool = tool;
    this.#cache = cache;
    this.#base = baseHeaders(link, tool);
    const isHarmless = readOnlyHint || idempotentHint === true || !retry.onlyIdempotent;
    this.#isKeyed =
      tool.vendorKey !== undefined && tool.vendorKey.onlyNames !== true && !isHarmless;
    this.#plan = planOf(provider, tool, link.limits);
    this.#decoder = decoderOf(this.#plan);
    this.#context = {
      provider,
      retry,
      scrub,
      xml: this.#decoder.xml,
      names: Object.keys(isObject(tool.input['properties']) ? tool.input['properties'] : {}),
      sentWith: { provider, credential: link.credential, auth: tool.auth },
      repeatable: isHarmless || this.#isKeyed,
      reads: readOnlyHint,
    };
  }

  /**
   * Whether a caller does no harm who makes a call again after it failed. A key makes attempts of one call
   * harmless; another call has another key, unless it does the same act that somebody has approved.
   */
  mayBeRepeated({ actId }: Pick<ReadFor, 'actId'>): boolean {
    return this.#context.repeatable && (!this.#isKeyed || actId !== undefined);
  }

  /**
   * Send what the tool describes and read the answer, of which `wanted` says what a large one is cut
   * down to. The id of the call is only asked for where a key is derived from it.
   *
   * @throws ToolError
   */
  read(
    request: ToolRequest,
    wanted: () => Wanted,
    life: CallLife,
    call: ReadFor,
  ): Promise<Reading> {
    const { vendorKey, name } = this.#tool;
    const keyed =
      vendorKey === undefined
        ? request
        : withIdempotencyKey(request, vendorKey, idempotencyKey(name, call.actId ?? call.callId));
    const outgoing = encodeRequest(this.#link, keyed);
    const ttlMs = outgoing.method === 'GET' ? this.#tool.cache?.ttlMs : undefined;
    const asked = { outgoing, wanted, life, call, tenant: call.caller.tenant };
    if (ttlMs === undefined) return this.#fetch(asked);
    return this.#readThrough(asked, ttlMs);
  }

  async #readThrough(asked: Asked, ttlMs: number): Promise<Reading> {
    const { outgoing, tenant } = asked;
    const { clock, identity } = this.#link;
    // Nobody learns from a quick answer what another tenant has asked for, nor gets what it was given.
    const key = `${tenant} ${identity} ${this.#tool.name} ${outgoing.url.href} ${JSON.stringify(outgoing.headers)}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined && clock.now() < kept.freshUntil) return this.#open(kept, asked, true);
    const keep = (received: Received) =>
      this.#cache.put(key, received, { ttlMs, now: clock.now() });
    if (kept?.etag === undefined) return this.#fetch(asked, { keep });
    const headers = { ...outgoing.headers, 'if-none-match': kept.etag };
    return this.#fetch({ ...asked, outgoing: { ...outgoing, headers } }, { keep, kept });
  }

  #fetch(asked: Asked, cached: Cached = {}): Promise<Reading> {
    const { retry, clock } = this.#link;
    const { repeatable, reads } = this.#context;
    const attempt = () => this.#attemptOnce(asked, cached);
    return retrying(attempt, { policy: retry, repeatable, reads, life: asked.life, clock });
  }

  /** One attempt; what fails behind a write that was answered says nothing against the write. */
  async #attemptOnce(asked: Asked, cached: Cached): Promise<Reading> {
    let isAnswered = false;
    const onSeeOther = () => {
      isAnswered = true;
    };
    try {
      return await this.#attempt(asked, cached, onSeeOther);
    } catch (error) {
      throw isAnswered ? afterSeeOther(error, this.#context) : error;
    }
  }

  /** The same, with its place in the rate bucket. */
  async #attempt(asked: Asked, cached: Cached, onSeeOther: () => void): Promise<Reading> {
    const { outgoing, life, tenant, call } = asked;
    const gate = this.#link.gate(outgoing.server.origin);
    const cost = this.#tool.rateCost ?? 1;
    const wait = gate.enter(cost, this.#window, { life, tenant });
    if (wait !== undefined) await wait;
    let received: Received | undefined;
    const { mayBeDone } = call;
    try {
      try {
        const headOnly = this.#tool.response?.linkOnly === true;
        if (!this.#context.reads && call.mayBeDone !== 'once')
          call.mayBeDone = this.mayBeRepeated(call) ? 'repeatable' : 'once';
        received = await transmit(this.#link, outgoing, {
          ...{ base: this.#base, life, headOnly, tenant, stays: this.#stays, onSeeOther },
        });
        const report = observe(gate.account(tenant), received.answer, this.#link, cost);
        this.#window = report.window;
        this.#check(received, report, outgoing);
      } catch (error) {
        if (!(error instanceof ToolError)) throw connectionFailure(error, this.#context);
        // Nothing of it is done while the next attempt waits.
        if (isRefusal(error.code, error.detail)) call.mayBeDone = mayBeDone;
        throw unusedAnswer(error, undefined, this.#context);
      } finally {
        gate.leave(tenant);
      }
      try {
        const reading = this.#use(received, asked, cached);
        return reading instanceof Promise ? await reading : reading;
      } catch (error) {
        throw unusedAnswer(error, received.answer, this.#context);
      }
    } finally {
      received?.answer.hold?.close();
    }
  }

  #use(received: Received, asked: Asked, { keep, kept }: Cached): Reading | Promise<Reading> {
    const { answer, url } = received;
    if (answer.status === 304 && kept !== undefined) {
      keep?.(kept);
      return this.#open(kept, asked, true);
    }
    if (keep === undefined || !isCacheable(answer)) return this.#open(received, asked, false);
    const { hold: _, ...unheld } = answer;
    const reading = this.#open(received, asked, true);
    if (!(reading instanceof Promise)) {
      keep({ answer: unheld, url });
      return reading;
    }
    return reading.then((read) => {
      keep({ answer: unheld, url });
      return read;
    });
  }

  #check({ answer }: Received, report: RateReport, { headers }: Outgoing): void {
    const { status } = answer;
    if ((status >= 200 && status < 300) || this.#isEmpty(status)) return;
    if (this.#stays && isRedirect(status)) return;
    if (status === 304 && headers?.['if-none-match'] !== undefined) return;
    throw statusFailure(answer, report, this.#context);
  }

  get #stays(): boolean {
    return this.#tool.response?.location === true;
  }

  #isEmpty(status: number): boolean {
    return this.#link.provider.errors?.emptyStatuses?.includes(status) === true;
  }

  /** Read an answer; `isKept` says that somebody else still needs its body. */
  #open({ answer, url }: Received, asked: Asked, isKept: boolean): Reading | Promise<Reading> {
    const { headers, status } = answer;
    if (this.#tool.response?.linkOnly === true || this.#isEmpty(status)) {
      return { decoded: empty, status, headers, url };
    }
    if (this.#stays && isRedirect(status)) {
      const location = locationOf(this.#link, { answer, url }) ?? null;
      return { decoded: { kind: 'value', value: { location } }, status, headers, url };
    }
    if (answer.coding !== undefined || answer.body.length > this.#link.limits.inlineBytes) {
      return this.#openLarge({ answer, url }, asked, isKept);
    }
    const decoded = decode(answer, this.#decoder);
    if (decoded.kind === 'empty' && saysWhere.has(status) && headerOf(headers, 'location')) {
      // Where what was made, or what has begun, can be read (RFC 9110, 15.3.2 and 15.3.3).
      const location = locationOf(this.#link, { answer, url });
      if (location)
        return { decoded: { kind: 'value', value: { location } }, status, headers, url };
    }
    if (decoded.kind === 'value') {
      const failure = softFailure(decoded.value, status, this.#context);
      if (failure !== undefined) throw failure;
      this.#pause(bodyWait(decoded.value, this.#context), url, asked);
    }
    return { decoded, status, headers, url };
  }

  async #openLarge({ answer, url }: Received, asked: Asked, isKept: boolean): Promise<Reading> {
    const { status, headers, coding, cut } = answer;
    const { wanted, life, tenant } = asked;
    const owner = { vendor: this.#link.provider.id, tenant };
    const job: DigestJob = {
      ...{ plan: this.#plan, status, headers, wanted: wanted() },
      body: isKept ? Buffer.from(new Uint8Array(answer.body).buffer) : owned(answer),
      ...{ coding, cut },
    };
    const { digest, wait } = await this.#link.digests.run(job, owner, life);
    if (digest.kind === 'soft') {
      const failure = softFailure(digest.value, status, this.#context);
      throw failure ?? unreadable('it says of itself that it failed');
    }
    this.#pause(waitMs(wait), url, asked);
    return { decoded: digest, status, headers, url };
  }

  #pause(ms: number | undefined, { origin }: URL, { tenant }: Asked): void {
    if (ms !== undefined) this.#link.gate(origin).account(tenant).close('', ms);
  }
}

/** A body that can be given away: in memory that is no other's. */
function owned({ body }: Answer): Buffer {
  const { buffer, byteLength } = body;
  return buffer.byteLength === byteLength ? body : Buffer.from(new Uint8Array(body).buffer);
}
