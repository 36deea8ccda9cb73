import { ServiceError } from '#contract/errors';
import type { OwnAddress } from '#contract/tenant/own-address';

/** The identifiers of this server: never made of what a request says of its host. */
export interface Addresses {
  /** The issuer, which is the base URL without a slash at its end (RFC 8414 section 2). */
  base(): string;
  /** The MCP endpoint as a resource (RFC 8707). */
  mcp(): string;
  /** The URL of a path. */
  url(path: string): string;
  /** The resource of ours that is meant, with or without a slash at its end; nothing for another. */
  resource(named: string): string | undefined;
  /** Where the metadata of a resource stands (RFC 9728 section 3.1). */
  metadata(of: 'base' | 'mcp'): string;
}

const nowhere = () => new ServiceError('unavailable', 503, 'this server listens nowhere yet');

/** Read the identifiers off the address that the operator has given, else where the server listens. */
export function createAddresses(address: OwnAddress): Addresses {
  function url(path: string): string {
    const known = address.of(path);
    if (known !== undefined) return known;
    throw nowhere();
  }
  const base = () => url('');
  const mcp = () => url(address.mcpPath);
  return {
    base,
    mcp,
    url,
    resource(named) {
      return [base(), mcp()].find((own) => named === own || named === `${own}/`);
    },
    metadata(of) {
      const path = of === 'mcp' ? address.mcpPath : '';
      const known = address.wellKnown('oauth-protected-resource', path);
      if (known !== undefined) return known;
      throw nowhere();
    },
  };
}
