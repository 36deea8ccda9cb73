import { connect, type Socket } from 'node:net';

/** What came of one request. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly bytes: number }
  /** The connection ended before an answer had come whole. */
  | { readonly kind: 'cut'; readonly code: string };

const endOfHead = Buffer.from('\r\n\r\n');

/** One connection of a client: sends the same request again and again, one at a time. */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #request: Buffer;
  #settle: ((outcome: Outcome) => void) | undefined;
  #read: Buffer[] = [];
  #status = 0;
  #missing = Number.NaN;
  #bytes = 0;
  #isOver = false;

  constructor(url: URL, request: Buffer) {
    this.#request = request;
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#cut(error.code ?? 'error'));
    this.#socket.on('close', () => this.#cut('closed'));
  }

  /** The connection has ended: another one has to take its place. */
  get isOver(): boolean {
    return this.#isOver;
  }

  send(settle: (outcome: Outcome) => void): void {
    this.#settle = settle;
    this.#socket.write(this.#request);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (Number.isNaN(this.#missing)) {
      this.#read.push(chunk);
      const head = this.#read.length === 1 ? chunk : Buffer.concat(this.#read);
      const end = head.indexOf(endOfHead);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      this.#status = Number(text.slice(9, 12));
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
      this.#missing = length - (head.length - end - endOfHead.length);
      this.#read = [];
    } else this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    const bytes = this.#bytes;
    this.#missing = Number.NaN;
    this.#bytes = 0;
    this.#done({ kind: 'answered', status: this.#status, bytes });
  }

  #cut(code: string): void {
    this.#isOver = true;
    this.#socket.destroy();
    this.#done({ kind: 'cut', code });
  }

  #done(outcome: Outcome): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(outcome);
  }
}
