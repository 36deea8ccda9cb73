import type { Server } from 'node:http';
import type { OwnAddress } from '#contract/house/house';

/** Where this server is reached: as the operator says, else where it listens. */
export class ListeningAddress implements OwnAddress {
  readonly #baseUrl: string | undefined;
  readonly mcpPath: string;
  #server: Server | undefined;

  constructor(baseUrl: string | undefined, mcpPath: string) {
    this.#baseUrl = baseUrl;
    this.mcpPath = mcpPath;
  }

  /** The server that will listen. */
  follow(server: Server): void {
    this.#server = server;
  }

  get isSecure(): boolean {
    return this.#baseUrl?.startsWith('https:') ?? false;
  }

  of(path: string): string | undefined {
    const address = this.#server?.listening ? this.#server.address() : null;
    if (address === null || typeof address === 'string') return undefined;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const base = this.#baseUrl ?? `http://${host}:${address.port}`;
    return base.replace(/\/$/, '') + path;
  }
}
