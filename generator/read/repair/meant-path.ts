import { isObject } from '#contract/json';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';

/**
 * A path as OpenAPI writes it: without blanks around it, below its server where it is a whole address;
 * names count as placeholders where they are declared as parameters.
 *
 * @param servers addresses of the description without their schemes, as of {@link serversOf}
 */
export function meantPath(
  written: string,
  declared: ReadonlySet<string>,
  servers: readonly string[],
): string {
  const below = belowServer(written.trim(), servers);
  if (below === undefined) return written;
  const path = below.startsWith('/') ? below : `/${below}`;
  const known = (whole: string, name: string) => (declared.has(name) ? `{${name}}` : whole);
  return path
    .replace(/\{[?&][^{}]*\}/g, '')
    .replace(
      /\{[+/]?(\w[\w.-]*)(?::(?:[^{}]|\{[^{}]*\})*|=[\w*/.~-]+|[?*])?\}/g,
      (whole: string, name: string) => known(whole, name),
    )
    .replace(/(?<=\/):(\w+)\??(?=\/|$)/g, known)
    .replace(/(?<=\/)<(?:\w+:)?(\w+)>(?=\/|$)/g, known)
    .replace(/(?<=\/)\{?([\w.-]+)\}?(?=\/|$)/g, (whole, name: string) => {
      // A brace without its other one.
      if (whole.startsWith('{') === whole.endsWith('}')) return whole;
      return declared.has(name) ? `{${name}}` : name;
    });
}

/** The addresses of a description, without their schemes and last slashes (`//api.acme.com/v1`). */
export function serversOf({ servers, host, basePath }: Node): readonly string[] {
  const urls = Array.isArray(servers) ? servers.map((each) => isObject(each) && each['url']) : [];
  const own = typeof host === 'string' ? `//${host}${valueText(basePath)}` : '';
  return [own, ...urls].flatMap((url) =>
    typeof url === 'string' && /^(?:https?:)?\/\//i.test(url) ? [ownPart(url)] : [],
  );
}

/** What follows the server in an address; nothing where it is that of another host. */
function belowServer(path: string, servers: readonly string[]): string | undefined {
  if (!/^[a-z]+:\/\//i.test(path)) return path;
  const address = path.replace(/^[a-z]+:/i, '');
  const server = servers.find(
    (each) => address.startsWith(each) && /^(?:\/|$)/.test(address.slice(each.length)),
  );
  return server === undefined ? undefined : address.slice(server.length) || '/';
}

function ownPart(url: string): string {
  return url.replace(/^https?:/i, '').replace(/(?<!\/)\/+$/, '');
}
