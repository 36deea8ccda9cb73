import type { Dispatcher, FormData } from 'undici';
import type { CallLife } from './call-life.ts';
import { decompress } from './decompress.ts';
import { tooLarge } from './unusable-answer.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: string | Buffer | FormData | null;
  /** Read the head of the answer only. */
  readonly headOnly?: boolean;
}

/** What came back, decompressed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * Send one request and read its answer, at most `maxBytes` of it.
 *
 * @throws ToolError `response_too_large`, `upstream_timeout`; otherwise the error of the connection
 */
export function exchange(
  pool: Dispatcher,
  request: WireRequest,
  { life, maxBytes }: { life: CallLife; maxBytes: number },
): Promise<Answer> {
  // The answer to a HEAD announces a body that does not follow (RFC 9110 section 9.3.2).
  const most = request.method === 'HEAD' ? Number.POSITIVE_INFINITY : maxBytes;
  return new Promise<Answer>((resolve, reject) => {
    const options = { life, maxBytes: most, headOnly: request.headOnly === true };
    const finish = (answer: Answer) => resolve(decoded(answer, maxBytes));
    const reader = new AnswerReader(options, finish, reject);
    // It does not change the headers, though its types would let it.
    pool.dispatch(request as WireRequest & { headers: string[] }, reader);
  });
}

function decoded(answer: Answer, maxBytes: number): Answer | Promise<Answer> {
  const encoding = headerOf(answer.headers, 'content-encoding');
  if (encoding === undefined || answer.body.length === 0) return answer;
  return decompress(answer.body, encoding, maxBytes).then((body) => ({ ...answer, body }));
}

/** The value of a header; of a repeated one, all values (RFC 9110 section 5.3). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

interface ReaderOptions {
  readonly life: CallLife;
  readonly maxBytes: number;
  readonly headOnly: boolean;
}

/** Collects one answer from undici's dispatcher, which spares the stream of `request()`. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  readonly #headOnly: boolean;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #over: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: Error | undefined;
  #size = 0;
  #status = 0;
  #headers: Headers = {};

  constructor(
    { life, maxBytes, headOnly }: ReaderOptions,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#headOnly = headOnly;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#over = life.during((reason) => this.#stop(reason));
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
    else if (Number(headers['content-length']) > this.#maxBytes)
      this.#stop(tooLarge(this.#maxBytes));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#stop(tooLarge(this.#maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#over();
    this.#reject(this.#stopped ?? error);
  }

  #finish(): void {
    this.#over();
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
    if (this.#headOnly) this.#controller?.abort(new Error('the head is all that was asked for'));
  }

  /** Give up: at once for the caller, and for the connection as soon as there is one. */
  #stop(reason: Error): void {
    this.#stopped = reason;
    this.#controller?.abort(reason);
    this.#reject(reason);
  }
}
