/** What brings calls to this server. */
export type Transport = 'http' | 'mcp' | 'cli';

/** How something came to this server, as far as it says whose it is. */
export interface Arrival {
  readonly transport: Transport;
  /** The tenant to whose address it came. */
  readonly tenant: string;
  /**
   * Method, path with query, and headers of the HTTP request; empty where there is none. The path is
   * one of this server's, without what stands before those of a tenant.
   */
  readonly method: string;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** It came from this process, or through a pipe that only its user can open. */
  readonly isLocal: boolean;
  /** A page of another origin sends it, to what such pages may use (Fetch, CORS protocol). */
  readonly isForeign: boolean;
  /** IP address of the peer; absent for what is local, and where the peer has left already. */
  readonly address: string | undefined;
  /**
   * SHA-256 of the body of the HTTP request, in base64, once it has been read whole; nothing where it
   * was cut off. Only for requests that bring a proof (`dpop`).
   */
  readonly bodyDigest?: () => Promise<string | undefined>;
  /** Stands for the connection that it came over; others may come over it, too. Absent without one. */
  readonly connection?: object;
  /** Absent where the connection is not encrypted by this server. */
  readonly tls: TlsFacts | undefined;
}

/** What is known of an encrypted connection. */
export interface TlsFacts {
  /** For example `TLSv1.3`. */
  readonly protocol: string;
  /** Absent where the client showed none; nobody but the TLS layer has checked it. */
  readonly certificate?: ClientCertificate;
}

export interface ClientCertificate {
  /** The certificate itself, in DER: its SHA-256 binds a token to it (RFC 8705 section 3.1). */
  readonly der: Uint8Array;
  readonly subject: string;
  /** Whether it leads to an authority that this server trusts. */
  readonly isTrusted: boolean;
}
