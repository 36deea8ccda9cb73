import { isObject } from '#contract/json';
import { usableServer } from '../guess/guess-server.ts';

type Node = Record<string, unknown>;

/**
 * The servers of a description, so that a later one can be held against them: addresses and
 * variables alone (OpenAPI 3.1, server object). Nothing of them is asked where a tool sends to.
 */
export function sliceServers(servers: readonly Node[]): { servers?: readonly Node[] } {
  const kept = servers.flatMap(sliceServer);
  return kept.length === 0 ? {} : { servers: kept };
}

/** Stands for where the description lies, which nobody may know. */
const anywhere = 'https://anywhere.example/';

function sliceServer(server: Node): Node[] {
  if (typeof server['url'] !== 'string' || !usableServer(server, anywhere)) return [];
  const url = withoutSecrets(server['url']);
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const given = isObject(server['variables']) ? server['variables'] : {};
  const variables = names.map((name) => [name, sliceVariable(given[name])] as const);
  return [{ url, ...(names.length > 0 && { variables: Object.fromEntries(variables) }) }];
}

/** No user, no query and no fragment of an address is kept. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '');
}

function sliceVariable(variable: unknown): Node {
  const given = isObject(variable) ? variable : {};
  const values = Array.isArray(given['enum']) ? given['enum'].map(String) : [];
  const usual = String(given['default'] ?? values[0] ?? '');
  return { ...(values.includes(usual) && { enum: values }), default: usual };
}
