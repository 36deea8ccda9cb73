import type { IncomingMessage } from 'node:http';
import { arriveAt } from '../../admission/http-arrival.ts';
import { tenantPath } from '../../process/own-address.ts';
import { type DeclaredTenant, hostOf } from '../../process/tenant/declared-tenants.ts';

/** Documents whose address has the path of an issuer or resource behind it (RFC 8414, RFC 9728). */
const inserted =
  /^\/\.well-known\/(oauth-authorization-server|openid-configuration|oauth-protected-resource)(\/t\/[^/?]+)(.*)$/s;
const prefixed = /^\/t\/([^/?]+)(.*)$/s;

/**
 * Decide whose a request is, by the host that it names, else by its path, of which the base of the
 * tenant is taken away: behind this, a path means the same for all of them. Nothing where no tenant
 * is declared; what belongs to no tenant is left to the server itself, which does not know it.
 */
export function tenantEntrance(
  declared: readonly DeclaredTenant[],
): ((request: IncomingMessage) => void) | undefined {
  if (declared.length === 0) return undefined;
  const byHost = new Map(declared.flatMap(({ id, url }) => (url ? [[hostOf(url), id]] : [])));
  const byPath = new Set(declared.flatMap(({ id, url }) => (url ? [] : [id])));
  return (request) => {
    const own = byHost.get(hostNameOf(request.headers.host));
    if (own !== undefined) {
      arriveAt(own, '', request);
      return;
    }
    const url = plainTarget(request.url ?? '');
    const [, id = '', rest = ''] = prefixed.exec(url) ?? [];
    if (!byPath.has(id)) return;
    arriveAt(id, tenantPath(id), request);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
  };
}

/** The name in a Host header, without its port (RFC 9110 section 7.2). */
export function hostNameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '');
}

/** With the base of the tenant in front, wherever it stood. */
function plainTarget(url: string): string {
  const [, name, base, rest] = inserted.exec(url) ?? [];
  return name === undefined ? url : `${base}/.well-known/${name}${rest}`;
}
