/** What a deployment puts a value in the place of: `$HOST`, `${HOST}`, `__HOST__`, `<host>`, `{{host}}`, `%HOST%`. */
const place = String.raw`(?:\$\w+|\$\{[^{}/]+\}|__\w+?__|<[^<>/]+>|\{\{[^{}/]+\}\}|%[A-Z_]{2,}%)`;

/** What stands for the host of whoever reads it: `yourdomain.com`, `api.your-server.net`; such names are others' own. */
const yours = String.raw`(?:[\w-]+\.)*(?:my|your)[-_]?(?:company|domain|host(?:name)?|instance|organi[sz]ation|server|site)(?:\.[a-z]{2,})?`;

/** An address whose host, with a port or without, is such a place and nothing else. */
const wholeHost = new RegExp(
  String.raw`^(?:(?:[a-z][a-z\d+.-]*:)?//)?(?:${place}|${yours})(?::(?:\d+|${place}))?(?=/|$)`,
  'i',
);

const places = new RegExp(place, 'g');

/** The path behind a host that only a deployment knows; nothing where an address names its host. */
export function pathBehindPlaceholder(url: string): string | undefined {
  const [found] = wholeHost.exec(url) ?? [];
  return found === undefined ? undefined : url.slice(found.length) || '/';
}

/** An address with the places in its host written as variables of a server (OpenAPI 3.1, server object). */
export function withVariables(url: string): string {
  const [host = ''] = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i.exec(url) ?? [];
  const named = host.replace(places, (found) => `{${found.replace(/^\W+|\W+$|^__|__$/g, '')}}`);
  return named + url.slice(host.length);
}
