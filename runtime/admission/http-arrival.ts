import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Arrival, TlsFacts } from '#contract/arrival';
import { defaultTenant } from '#contract/tenant/tenants';
import { bodyDigestOf } from '../process/body/body-digest.ts';

/** To whose address a request came. */
interface Entered {
  readonly tenant: string;
  /** What was taken away from the beginning of its path. */
  readonly basePath: string;
}

/** Of requests that came to the address of a tenant; all others are for the server itself. */
const entered = new WeakMap<IncomingMessage, Entered>();

/** Say to whose address a request came, before anything else is made of it. */
export function arriveAt(tenant: string, basePath: string, request: IncomingMessage): void {
  entered.set(request, { tenant, basePath });
}

/** What stood before the path of a request. */
export function basePathOf(request: IncomingMessage): string {
  return entered.get(request)?.basePath ?? '';
}

/** What is known of a request beside what it says itself; without an address, that of the peer. */
type ArrivalFacts = Partial<Pick<Arrival, 'isLocal' | 'isForeign' | 'address'>>;

/**
 * What an HTTP request says of whoever sent it; nothing is read before it is asked for, but the
 * address, which a connection forgets when it breaks.
 */
export class HttpArrival implements Arrival {
  readonly transport: 'http' | 'mcp';
  readonly isLocal: boolean;
  readonly isForeign: boolean;
  readonly address: string | undefined;
  readonly #request: IncomingMessage;

  constructor(
    request: IncomingMessage,
    transport: 'http' | 'mcp',
    {
      isLocal = false,
      isForeign = false,
      address = request.socket.remoteAddress,
    }: ArrivalFacts = {},
  ) {
    this.#request = request;
    this.address = address;
    this.transport = transport;
    this.isLocal = isLocal;
    this.isForeign = isForeign;
  }

  get tenant(): string {
    return entered.get(this.#request)?.tenant ?? defaultTenant;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  get headers(): Arrival['headers'] {
    return this.#request.headers;
  }

  bodyDigest(): Promise<string | undefined> {
    return bodyDigestOf(this.#request);
  }

  get connection(): object {
    return this.#request.socket;
  }

  get tls(): TlsFacts | undefined {
    const { socket } = this.#request;
    return isEncrypted(socket) ? tlsFacts(socket) : undefined;
  }
}

/** The class itself is not asked for: an import of node:tls reads all certificates of authorities. */
function isEncrypted(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}

function tlsFacts(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerX509Certificate();
  return {
    protocol: socket.getProtocol() ?? '',
    ...(certificate && {
      certificate: {
        der: certificate.raw,
        subject: certificate.subject,
        isTrusted: socket.authorized,
      },
    }),
  };
}

/** Somebody at the terminal of this very process. */
export const terminalArrival: Arrival = {
  transport: 'cli',
  tenant: defaultTenant,
  method: '',
  url: '',
  headers: {},
  isLocal: true,
  isForeign: false,
  address: undefined,
  tls: undefined,
};
