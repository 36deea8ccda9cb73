import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** The line to a node of a chain, which can be cut at any moment: what was sent may have arrived. */
export class TornLine {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #isCut = false;

  private constructor(port: number) {
    this.#server = createServer((socket) => {
      if (this.#isCut) return void socket.destroy();
      const peer = connect(port, '127.0.0.1');
      for (const [each, other] of [
        [socket, peer],
        [peer, socket],
      ] as const) {
        this.#sockets.add(each);
        each.pipe(other);
        each.on('error', () => {});
        each.on('close', () => {
          this.#sockets.delete(each);
          other.destroy();
        });
      }
    });
  }

  static async to(url: string): Promise<TornLine> {
    const line = new TornLine(Number(new URL(url).port));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
