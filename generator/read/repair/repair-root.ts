import { isObject } from '#contract/json';
import type { Version } from '../document/document-version.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import type { Path } from '../text/origins.ts';
import type { Told } from './told.ts';

/** Read a host that is an address, and a base path without its slash, as they are meant. */
export function repairRoot(root: Node, version: Version, told: Told): void {
  const { security } = root;
  if (isObject(security)) {
    root['security'] = [security];
    told(['security'], '"security" must be a list; it is read as one of one alternative');
  }
  if (version !== '2.0') return;
  for (const [name, scheme] of Object.entries(root['securityDefinitions'] ?? {})) {
    if (isObject(scheme)) repairScheme(scheme, ['securityDefinitions', name], told);
  }
  if (root['host'] === undefined) repairServers(root, told);
  const { host, basePath } = root;
  const address = typeof host === 'string' ? /^(https?):\/\/([^/]+)(\/.*)?$/i.exec(host) : null;
  if (address) {
    const [, scheme = '', name = '', path = ''] = address;
    root['host'] = name;
    root['schemes'] ??= [scheme.toLowerCase()];
    if (basePath === undefined && path.length > 1) root['basePath'] = path;
    told(['host'], `"host" is a host name alone: "${host}" is read as its parts`);
  } else if (typeof host === 'string' && /^[^/]+\/$/.test(host)) {
    root['host'] = host.slice(0, -1);
    told(['host'], `"host" is a host name alone: "${host}" is read without its slash`);
  }
  if (typeof basePath === 'string' && /^[\w-]/.test(basePath)) {
    root['basePath'] = `/${basePath}`;
    told(['basePath'], `"basePath" must begin with "/": "${basePath}" is read so`);
  }
}

/** The first server that OpenAPI 3 would know, as Swagger 2.0 writes it. */
function repairServers(root: Node, told: Told): void {
  const { servers } = root;
  if (!Array.isArray(servers)) return;
  for (const server of servers) {
    const url = isObject(server) ? filledIn(server) : '';
    const [, scheme = '', host, path = ''] =
      /^(https?):\/\/([^/?#{}\s]+)(\/[^?#{}\s]*)?$/i.exec(url) ?? [];
    if (host === undefined) continue;
    Object.assign(root, { host, schemes: [scheme.toLowerCase()] });
    if (path.length > 1) root['basePath'] ??= path;
    delete root['servers'];
    told(['servers'], `Swagger 2.0 has no "servers": "${url}" is read as "host"`);
    return;
  }
}

/** The address of a server with the usual values of its variables. */
function filledIn({ url, variables }: Node): string {
  if (typeof url !== 'string') return '';
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) && variables[name];
    return isObject(variable) && variable['default'] ? valueText(variable['default']) : whole;
  });
}

/** A scheme of OpenAPI 3 in Swagger 2.0, which has no word for bearer tokens and for cookies. */
function repairScheme(node: Node, path: Path, told: Told): void {
  const { type, scheme, in: place } = node;
  if (type === 'apiKey' && place === 'cookie') {
    told(path, 'Swagger 2.0 has no keys in cookies; it is read as OpenAPI 3 has them');
  }
  if (type !== 'http' || typeof scheme !== 'string' || !/^(?:basic|bearer)$/i.test(scheme)) return;
  for (const key of ['scheme', 'bearerFormat']) delete node[key];
  const isBasic = /^basic$/i.test(scheme);
  const key = { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bearer token' };
  Object.assign(node, isBasic ? { type: 'basic' } : key);
  told(path, `Swagger 2.0 has no type "http"; it is read as ${isBasic ? 'basic' : 'a header'}`);
}
