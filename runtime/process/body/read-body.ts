import type { IncomingMessage } from 'node:http';
import { type BodyDigest, digestBody } from './body-digest.ts';
import { type HeldBody, heldBodies } from './held-bodies.ts';

/** A body, or why there is none. */
export type Body = Buffer | 'too large';

const empty = Buffer.alloc(0);

/**
 * Read a request body of at most `limit` bytes; `done` is called once, or never where the client leaves
 * before the end. Most bodies come in one piece: they wait for nothing, so nobody notes what they hold.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Body) => void,
): void {
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) {
    done('too large');
    return;
  }
  const digest = digestBody(request);
  let whole: Buffer | undefined;
  let pieces = digest && new Pieces(request, limit, digest);
  request.on('data', (chunk: Buffer) => {
    if (pieces === undefined && chunk.length === announced) {
      whole = chunk;
      return;
    }
    pieces ??= new Pieces(request, limit);
    if (pieces.add(chunk) === 'too large') done('too large');
  });
  request.on('end', () => {
    if (pieces === undefined) done(whole ?? empty);
    else if (!pieces.hasEnded) done(pieces.joined());
  });
}

/** What has come of a body. */
class Pieces {
  /** There will be no more of it. */
  hasEnded = false;
  #chunks: Buffer[] = [];
  #length = 0;
  readonly #limit: number;
  readonly #held: HeldBody;
  readonly #digest: BodyDigest | undefined;

  constructor(request: IncomingMessage, limit: number, digest?: BodyDigest) {
    this.#limit = limit;
    this.#digest = digest;
    this.#held = heldBodies.open(() => request.destroy());
    // It comes after the end as well, and after an error, which nobody listens to.
    request.on('close', () => this.#end(false));
  }

  /** Take one more; says once that they are too many. */
  add(chunk: Buffer): 'too large' | undefined {
    if (this.hasEnded) return undefined;
    this.#length += chunk.length;
    if (this.#length > this.#limit) {
      this.#end(false);
      return 'too large';
    }
    this.#chunks.push(chunk);
    this.#digest?.add(chunk);
    heldBodies.add(this.#held, chunk.length);
    return undefined;
  }

  /** The whole body; they are forgotten here. */
  joined(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    this.#end(true);
    return whole;
  }

  #end(isWhole: boolean): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#chunks = [];
    heldBodies.close(this.#held);
    this.#digest?.end(isWhole);
  }
}
