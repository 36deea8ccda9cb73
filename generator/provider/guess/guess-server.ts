import { isObject } from '#contract/json';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** A base address, and whether a person has to look at it. */
export interface GuessedServer {
  readonly url: string;
  readonly review?: string;
}

/** The first server of a description over TLS, its variables filled with their defaults. */
export function guessServer(
  document: ApiDocument,
  id: string,
  origin: string | undefined,
): GuessedServer {
  const unknown = {
    url: `https://${id.replaceAll('_', '-')}.example`,
    review: 'the description names no server: write its base URL here',
  };
  const [server] = document.root.servers ?? [];
  if (!server) return unknown;
  const variables = isObject(server['variables']) ? server['variables'] : {};
  const filled = String(server['url']).replace(/\{([^}]*)\}/g, (_, name) =>
    defaultOf(variables[name]),
  );
  const url = URL.parse(filled, origin);
  if (!url || !/^https?:$/.test(url.protocol)) return unknown;
  const names = Object.keys(variables);
  const review = names.length === 0 ? undefined : `${names.join(', ')} took the default value`;
  url.protocol = 'https:';
  url.search = '';
  url.hash = '';
  return { url: url.href.replace(/\/+$/, ''), ...(review !== undefined && { review }) };
}

function defaultOf(variable: unknown): string {
  return isObject(variable) ? String(variable['default'] ?? '') : '';
}
