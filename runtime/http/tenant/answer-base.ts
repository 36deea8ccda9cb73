import type { ReplyHeaders } from '#contract/surface/route';

/**
 * Quotes of whatever strangers have written are escaped on pages, so that none of this can be theirs.
 */
const ownLinks = / (href|action|src)="\/(?!\/)/g;

/** Put the base of a tenant before the paths of this server to which an answer leads. */
export interface TenantBase {
  headers(headers: ReplyHeaders): ReplyHeaders;
  body(type: string | undefined, body: unknown): unknown;
}

/**
 * What a surface writes of its own paths begins at its root, as the paths of requests do: the base of a
 * tenant was taken away when the request came, and is put back here. Other URLs are whole, from the
 * address of the tenant.
 */
export function tenantBase(path: string): TenantBase {
  return {
    headers(headers) {
      const { location } = headers;
      if (typeof location !== 'string' || !/^\/(?!\/)/.test(location)) return headers;
      return { ...headers, location: path + location };
    },
    body(type, body) {
      if (typeof body !== 'string' || !type?.startsWith('text/html')) return body;
      return body.replaceAll(ownLinks, ` $1="${path}/`);
    },
  };
}
