import { timingSafeEqual } from 'node:crypto';

interface Last<Known> {
  readonly bytes: Buffer;
  readonly known: Known;
}

/**
 * The token that each connection brought last, and what is known of it. Most connections bring one
 * token with every request, and to compare it takes a fraction of the time of its digest. Whoever
 * stands behind a proxy shares connections with others: the time tells nothing of their tokens.
 */
export class ConnectionTokens<Known> {
  readonly #last = new WeakMap<object, Last<Known>>();

  /** What is known of a token that this connection brought last; nothing where it was another one. */
  find(connection: object, token: string): Known | undefined {
    const last = this.#last.get(connection);
    if (last === undefined || last.bytes.length !== token.length) return undefined;
    return timingSafeEqual(last.bytes, Buffer.from(token, 'latin1')) ? last.known : undefined;
  }

  /** Keep a token, which has the characters of a header (Latin-1), as long as its connection lasts. */
  keep(connection: object, token: string, known: Known): void {
    const bytes = Buffer.allocUnsafeSlow(token.length);
    bytes.write(token, 'latin1');
    this.#last.set(connection, { bytes, known });
  }
}
