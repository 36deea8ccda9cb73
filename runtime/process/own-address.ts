import type { Server } from 'node:http';
import { isReachedLocally } from '#contract/config/auth-mode';
import type { OwnAddress } from '#contract/house/house';

export interface AddressSettings {
  readonly baseUrl: string | undefined;
  readonly mcpPath: string;
  /** What the server binds to. */
  readonly host: string;
}

/** Where this server is reached: as the operator says, else where it listens. */
export class ListeningAddress implements OwnAddress {
  readonly #baseUrl: string | undefined;
  readonly mcpPath: string;
  readonly isLoopback: boolean;
  readonly #host: string;
  #server: Server | undefined;
  #assumed: string | undefined;

  constructor({ baseUrl, mcpPath, host }: AddressSettings) {
    this.#baseUrl = baseUrl;
    this.#host = host;
    this.mcpPath = mcpPath;
    this.isLoopback = isReachedLocally({ host, baseUrl });
  }

  /** The server that will listen. */
  follow(server: Server): void {
    this.#server = server;
  }

  /** Speak for the server that listens, or will, on this port; of any free one nothing is known. */
  assume(port: number): void {
    const host = this.#host.includes(':') ? `[${this.#host.replaceAll(/[[\]]/g, '')}]` : this.#host;
    this.#assumed = this.#baseUrl ?? (port === 0 ? undefined : `http://${host}:${port}`);
  }

  get isSecure(): boolean {
    return this.#baseUrl?.startsWith('https:') ?? false;
  }

  of(path: string): string | undefined {
    const address = this.#server?.listening ? this.#server.address() : null;
    if (address === null || typeof address === 'string') {
      return this.#assumed === undefined ? undefined : this.#assumed.replace(/\/$/, '') + path;
    }
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const base = this.#baseUrl ?? `http://${host}:${address.port}`;
    return base.replace(/\/$/, '') + path;
  }
}
