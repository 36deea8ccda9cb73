/** Where people and clients reach this server, or one of its tenants. */
export interface OwnAddress {
  /** What stands before every path of a tenant that has no host of its own: `/t/<id>`, else nothing. */
  readonly basePath: string;
  /** Nobody reaches it from elsewhere, as far as the operator says. */
  readonly isLoopback: boolean;
  /** Browsers reach it over TLS alone. */
  readonly isSecure: boolean;
  /** Path of the MCP endpoint. */
  readonly mcpPath: string;
  /** The URL of a path; nothing where this process serves no pages now. */
  of(path: string): string | undefined;
  /** The URL of a document about `path`, which has the base of a tenant behind its name (RFC 8615). */
  wellKnown(name: string, path: string): string | undefined;
}
