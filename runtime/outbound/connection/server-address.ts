import { ToolError } from '#contract/errors';
import type { Provider, ProviderServer, ServerVariable } from '#contract/provider';
import type { Environment } from '../call/options.ts';
import { WrongSetting } from './wrong-setting.ts';

/** Where a server listens: `https://api.example.com` and the path that all of its paths start with. */
export interface ServerAddress {
  readonly origin: string;
  /** Empty, or a path without a trailing slash. */
  readonly prefix: string;
}

/**
 * Find the address of each of a provider's servers. `override` replaces them all.
 *
 * @throws ToolError when a variable of an address is not set or not allowed
 */
export function resolveServers(
  provider: Provider,
  env: Environment,
  override: string | undefined,
): ReadonlyMap<string, ServerAddress> {
  return new Map(
    provider.servers.map((server) => [
      server.id,
      parseAddress(override ?? fillVariables(provider, server, env)),
    ]),
  );
}

/** Read a base URL: an origin and perhaps a path. */
export function parseAddress(text: string): ServerAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`a server address must be an http or https URL, not ${JSON.stringify(text)}`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('a server address must hold no user, query or fragment');
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function fillVariables(provider: Provider, server: ProviderServer, env: Environment): string {
  return server.url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = server.variables?.[name];
    if (variable === undefined) throw new Error(`${server.url} has no variable ${name}`);
    return variableValue(name, variable, { provider, env });
  });
}

function variableValue(
  name: string,
  variable: ServerVariable,
  { provider, env }: { provider: Provider; env: Environment },
): string {
  const set = variable.env === undefined ? undefined : env[variable.env];
  const value = set === undefined || set === '' ? variable.default : set;
  const source = variable.env ?? `the server variable ${name}`;
  if (value === undefined) {
    throw new ToolError('missing_credential', `${provider.title} needs ${source} to be set`, {
      ...{ provider: provider.id, retryable: false },
    });
  }
  const expected = rejectionOf(value, variable);
  if (expected !== undefined) {
    const received = JSON.stringify(value.slice(0, 80));
    const problem = { variable: source, expected, received };
    throw new WrongSetting(provider, `${source} must be ${expected}`, problem);
  }
  return value;
}

/** What a value should have been; `undefined` when it is allowed. */
function rejectionOf(value: string, variable: ServerVariable): string | undefined {
  if (variable.enum !== undefined) {
    return variable.enum.includes(value) ? undefined : `one of ${variable.enum.join(', ')}`;
  }
  // Without a rule of its own a variable fills one host label (RFC 1123 section 2.1), never more.
  const pattern = variable.pattern ?? '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  return new RegExp(`^(?:${pattern})$`).test(value) ? undefined : `text that matches ${pattern}`;
}

/**
 * Join a server's address and a request's path. The result still lies under the server's prefix,
 * whatever a path parameter held (the flaw of GHSA-vv7q-7jx5-f767).
 *
 * @throws ToolError `invalid_arguments`
 */
export function locate(server: ServerAddress, path: string): URL {
  const base = `${server.origin}${server.prefix}`;
  const url = URL.parse(base + path);
  // The whole text is at hand; each part of it would have to be cut out.
  if (url === null || !url.href.startsWith(`${base}/`) || url.hash !== '') {
    throw new ToolError('invalid_arguments', 'the path of the request leaves the vendor’s API', {
      retryable: false,
    });
  }
  return url;
}
