import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Arrival, TlsFacts } from '#contract/arrival';

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
    { isLocal = false, isForeign = false }: Partial<Pick<Arrival, 'isLocal' | 'isForeign'>> = {},
  ) {
    this.#request = request;
    this.address = request.socket.remoteAddress;
    this.transport = transport;
    this.isLocal = isLocal;
    this.isForeign = isForeign;
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
  method: '',
  url: '',
  headers: {},
  isLocal: true,
  isForeign: false,
  address: undefined,
  tls: undefined,
};
