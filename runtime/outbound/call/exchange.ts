import type { Dispatcher } from 'undici';
import { defaultTenant } from '#contract/tenant/tenants';
import { type AnswerShare, Hold } from './answer-room.ts';
import type { CallLife } from './call-life.ts';
import { CutOffAnswer } from './cut-off-answer.ts';
import { decompress, isTooLarge } from './decompress.ts';
import { EventCount, isOpenStream } from './open-stream.ts';
import { afterStatus, noRoom, tooLarge } from './unusable-answer.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: string | Buffer | null;
  /** Read the head of the answer only. */
  readonly headOnly?: boolean;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The content coding of a body that is small as long as it stays compressed. */
  readonly coding?: string;
  /** Why no more of a stream was read that had not ended, in words. */
  readonly cut?: string;
  /** What a large answer has taken of the memory for all of them, until it is closed. */
  readonly hold?: Hold | undefined;
}

/** How much of an answer is read, and where. */
export interface ReadingLimits {
  readonly life: CallLife;
  readonly maxBytes: number;
  /** A larger one stays compressed, and is counted; without it, none is. */
  readonly inlineBytes?: number;
  /** The memory that such an answer is counted against. */
  readonly room?: AnswerShare;
  /** Who waits for the answer. */
  readonly tenant?: string;
  /** How long a stream that does not end is read, and how many events of it; without it, to the end. */
  readonly stream?: { readonly ms: number; readonly events: number };
}

/**
 * Send one request and read its answer, at most `maxBytes` of it.
 *
 * @throws ToolError `response_too_large`, `upstream_timeout`, `rate_limited_local`; otherwise the
 *   error of the connection
 */
export function exchange(
  pool: Dispatcher,
  request: WireRequest,
  limits: ReadingLimits,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const finish = (answer: Answer) => resolve(decoded(answer, limits));
    const reader = new AnswerReader(limits, request, finish, reject);
    // It does not change the headers, though its types would let it.
    pool.dispatch(request as WireRequest & { headers: string[] }, reader);
  });
}

function decoded(
  answer: Answer,
  { maxBytes, inlineBytes = maxBytes }: ReadingLimits,
): Answer | Promise<Answer> {
  const coding = headerOf(answer.headers, 'content-encoding') ?? unnamedCoding(answer);
  if (coding === undefined || answer.body.length === 0) return answer;
  const most = Math.min(inlineBytes, maxBytes);
  return decompress(answer.body, coding, most, answer.cut !== undefined).then(
    (body) => ({ ...answer, body }),
    (error) => {
      // Whoever reads it undoes the coding, within the limit that counts.
      if (isTooLarge(error) && most < maxBytes) return { ...answer, coding };
      // A failure is one by its status, whatever it says.
      if (answer.status >= 300) return { ...answer, body: Buffer.alloc(0) };
      answer.hold?.close();
      throw afterStatus(error, answer.status);
    },
  );
}

/**
 * Some servers and what stands before them compress a text and do not say so: where a text was
 * announced and gzip begins (RFC 1952 section 2.3.1), it is one.
 */
function unnamedCoding({ headers, body }: Answer): string | undefined {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b && body[2] === 8;
  if (!isGzip) return undefined;
  const type = headerOf(headers, 'content-type') ?? '';
  return /^text\/|[/+](?:json|xml)\b/i.test(type) ? 'gzip' : undefined;
}

/** The value of a header; of a repeated one, all values (RFC 9110 section 5.3). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Of an answer that is no success, the beginning says what is wrong; the rest is not waited for. */
const mostOfFailure = 128 * 1024;

/** Collects one answer from undici's dispatcher, which spares the stream of `request()`. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #limits: ReadingLimits;
  #maxBytes: number;
  readonly #headOnly: boolean;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #over: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: Error | undefined;
  #size = 0;
  #status = 0;
  #headers: Headers = {};
  #hold: Hold | undefined;
  #events: EventCount | undefined;
  #callOff: (() => void) | undefined;

  constructor(
    limits: ReadingLimits,
    { method, headOnly }: WireRequest,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#limits = limits;
    // The answer to a HEAD announces a body that does not follow (RFC 9110 section 9.3.2).
    this.#maxBytes = method === 'HEAD' ? Number.POSITIVE_INFINITY : limits.maxBytes;
    this.#headOnly = headOnly === true;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#over = limits.life.during((reason) => this.#stop(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped !== undefined) controller.abort(this.#stopped);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#headOnly) this.#finish();
    else if (status >= 300) this.#maxBytes = Math.min(this.#maxBytes, mostOfFailure);
    else if (isOpenStream(headerOf(headers, 'content-type'))) this.#watch();
    else if (Number(headers['content-length']) > this.#maxBytes)
      this.#stop(tooLarge(this.#maxBytes));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stopped !== undefined) return;
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      if (this.#events || this.#status >= 300) this.#full(chunk);
      else this.#stop(tooLarge(this.#maxBytes));
    } else if (!this.#hasRoom()) this.#stop(noRoom());
    else {
      this.#chunks.push(chunk);
      this.#count(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#stopped === undefined) this.#finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#over();
    this.#callOff?.();
    this.#hold?.close();
    this.#reject(this.#stopped ?? this.#cutOff(error));
  }

  /** What came until a connection ended tells whether the vendor has done what it was asked for. */
  #cutOff(error: Error): Error {
    if (this.#status === 0) return error;
    const [start = Buffer.alloc(0)] = this.#chunks;
    const came = { status: this.#status, headers: this.#headers, bytes: this.#size, start };
    return new CutOffAnswer(came, error);
  }

  /** Read a stream for so long only, if it does not end before. */
  #watch(): void {
    const { stream, life } = this.#limits;
    if (stream === undefined) return;
    // What came has to be delivered before the call ends.
    const ms = Math.max(0, Math.min(stream.ms, life.left / 2));
    this.#events = new EventCount();
    this.#callOff = life.after(ms, () =>
      this.#cut(`the stream had not ended after ${(ms / 1000).toFixed(1)} seconds`),
    );
  }

  #count(chunk: Buffer): void {
    const most = this.#limits.stream?.events ?? Number.POSITIVE_INFINITY;
    if ((this.#events?.add(chunk) ?? 0) >= most) {
      this.#cut(`the stream had not ended after ${most} events`);
    }
  }

  /** Of a stream that is too large, and of a failure, what came before is good. */
  #full(chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, chunk.length - (this.#size - this.#maxBytes)));
    this.#cut(`the stream had not ended after ${this.#maxBytes} bytes`);
  }

  /** Let go of a stream, and take what came for the answer. */
  #cut(why: string): void {
    if (this.#stopped !== undefined) return;
    this.#finish(`${why}; this is what came until then`);
    this.#hold = undefined;
    this.#stopped = new Error(why);
    this.#controller?.abort(this.#stopped);
  }

  #hasRoom(): boolean {
    const { inlineBytes, room, tenant = defaultTenant } = this.#limits;
    if (room === undefined || inlineBytes === undefined || this.#size <= inlineBytes) return true;
    this.#hold ??= new Hold(room, tenant);
    return this.#hold.growTo(this.#size);
  }

  #finish(cut?: string): void {
    this.#over();
    this.#callOff?.();
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    const hold = this.#hold;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body,
      hold,
      ...(cut && { cut }),
    });
    if (this.#headOnly) this.#controller?.abort(new Error('the head is all that was asked for'));
  }

  /** Give up: at once for the caller, and for the connection as soon as there is one. */
  #stop(reason: Error): void {
    if (this.#status >= 300 && this.#stopped === undefined) {
      // What has said no already does not have to say it to its end.
      this.#cut(reason.message);
      return;
    }
    const told = afterStatus(reason, this.#status);
    this.#stopped = told;
    this.#callOff?.();
    this.#chunks.length = 0;
    this.#hold?.close();
    this.#controller?.abort(told);
    this.#reject(told);
  }
}
