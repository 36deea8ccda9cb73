import { timingSafeEqual } from 'node:crypto';

interface Last<Known> {
  readonly bytes: Buffer;
  /** Where what comes is laid beside it, so that comparing takes no memory. */
  readonly other: Buffer;
  readonly known: Known;
}

/**
 * The credentials that each connection brought last, and what is known of them. Most connections
 * bring the same with every request, and to compare them takes a fraction of the time of reading and
 * digesting them. Whoever stands behind a proxy shares connections with others: the time tells
 * nothing of their tokens.
 */
export class ConnectionTokens<Known> {
  readonly #last = new WeakMap<object, Last<Known>>();

  /** What is known of the credentials that this connection brought last; nothing of any other ones. */
  find(connection: object, credentials: string): Known | undefined {
    const last = this.#last.get(connection);
    if (last === undefined || last.bytes.length !== credentials.length) return undefined;
    last.other.write(credentials, 'latin1');
    return timingSafeEqual(last.bytes, last.other) ? last.known : undefined;
  }

  /** Keep credentials, which have the characters of a header (Latin-1), as long as their connection lasts. */
  keep(connection: object, credentials: string, known: Known): void {
    const [bytes, other] = [copyOf(credentials), copyOf(credentials)];
    this.#last.set(connection, { bytes, other, known });
  }
}

function copyOf(credentials: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(credentials.length);
  bytes.write(credentials, 'latin1');
  return bytes;
}
