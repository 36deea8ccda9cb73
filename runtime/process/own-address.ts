import type { Server } from 'node:http';
import { isReachedLocally } from '#contract/config/auth-mode';
import { ConfigError } from '#contract/config/config';
import type { OwnAddress } from '#contract/tenant/own-address';

export interface AddressSettings {
  readonly baseUrl: string | undefined;
  readonly mcpPath: string;
  /** What the server binds to. */
  readonly host: string;
  /** The hosts that tenants have of their own, as URLs. */
  readonly hosts?: readonly string[];
}

/**
 * Refuse an address below a path: what clients look for at the root of a host (RFC 8414 section 3.1,
 * RFC 9728 section 3.1, cookies of pages) would be somebody else's there.
 *
 * @throws ConfigError
 */
export function requireWholeHost({ baseUrl }: Pick<AddressSettings, 'baseUrl'>): void {
  if (baseUrl === undefined || new URL(baseUrl).pathname === '/') return;
  const expected =
    'a URL without a path, because clients look for documents of this server at the root of its host (MCP_PATH says where MCP is)';
  throw new ConfigError([
    { variable: 'SERVICE_BASE_URL', expected, received: JSON.stringify(baseUrl.slice(0, 80)) },
  ]);
}

/** Where this server is reached: as the operator says, else where it listens. */
export class ListeningAddress implements OwnAddress {
  readonly #baseUrl: string | undefined;
  readonly basePath = '';
  readonly mcpPath: string;
  readonly isLoopback: boolean;
  readonly #host: string;
  #server: Server | undefined;
  #assumed: string | undefined;
  #found: string | undefined;

  constructor({ baseUrl, mcpPath, host, hosts = [] }: AddressSettings) {
    this.#baseUrl = baseUrl;
    this.#host = host;
    this.mcpPath = mcpPath;
    this.isLoopback = [baseUrl, ...hosts].every((url) => isReachedLocally({ host, baseUrl: url }));
  }

  /** The server that will listen. */
  follow(server: Server): void {
    this.#server = server;
    this.#found = undefined;
  }

  /** Speak for the server that listens, or will, on this port; of any free one nothing is known. */
  assume(port: number): void {
    const host = this.#host.includes(':') ? `[${this.#host.replaceAll(/[[\]]/g, '')}]` : this.#host;
    this.#assumed = this.#baseUrl ?? (port === 0 ? undefined : `http://${host}:${port}`);
  }

  /** At which port this process listens, whatever clients are told. */
  get port(): number | undefined {
    const address = this.#server?.listening ? this.#server.address() : null;
    return typeof address === 'object' ? address?.port : undefined;
  }

  get isSecure(): boolean {
    return this.#baseUrl?.startsWith('https:') ?? false;
  }

  of(path: string): string | undefined {
    const base = this.#listening() ?? this.#assumed;
    return base === undefined ? undefined : base.replace(/\/$/, '') + path;
  }

  /** Under which URL it listens; asking the socket each time would take longer than the rest. */
  #listening(): string | undefined {
    if (!this.#server?.listening) return undefined;
    this.#found ??= this.#find(this.#server.address());
    return this.#found;
  }

  #find(address: ReturnType<Server['address']>): string | undefined {
    if (address === null || typeof address === 'string') return undefined;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return this.#baseUrl ?? `http://${host}:${address.port}`;
  }

  wellKnown(name: string, path: string): string | undefined {
    return this.of(`/.well-known/${name}${path}`);
  }
}

/** What stands before each path of a tenant that has no host of its own. */
export function tenantPath(id: string): string {
  return `/t/${id}`;
}

/** Where a tenant is reached: at a host of its own, else under a path of the server. */
export function tenantAddress(id: string, url: string | undefined, server: OwnAddress): OwnAddress {
  const { mcpPath, isLoopback } = server;
  if (url === undefined) {
    const basePath = tenantPath(id);
    return {
      ...{ basePath, mcpPath, isLoopback },
      get isSecure() {
        return server.isSecure;
      },
      of: (path) => server.of(basePath + path),
      // RFC 8414 section 3.1, RFC 9728 section 3.1: between the host and the path.
      wellKnown: (name, path) => server.wellKnown(name, basePath + path),
    };
  }
  return {
    ...{ basePath: '', mcpPath, isLoopback },
    isSecure: url.startsWith('https:'),
    of: (path) => url + path,
    wellKnown: (name, path) => `${url}/.well-known/${name}${path}`,
  };
}
