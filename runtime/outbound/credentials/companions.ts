import type { Provider } from '#contract/provider';

/** The address of the operator is sent where it is known, and belongs to no credential. */
const contact = 'SERVICE_CONTACT';

/**
 * The variables in the constant headers and query of a provider: keys that it demands together with
 * its credential (OpenAPI 3.1, security requirement object). Headers that are `given` with that need no
 * variable.
 */
export function companionsOf(
  { headers, query }: Pick<Provider, 'headers' | 'query'>,
  given: readonly string[] = [],
): string[] {
  const open = Object.entries(headers ?? {}).filter(
    ([name]) => !given.includes(name.toLowerCase()),
  );
  const templates = [...open.map(([, template]) => template), ...Object.values(query ?? {})];
  return [...new Set(templates.flatMap(variablesOf))].filter((name) => name !== contact);
}

/** The variables that a constant header or query parameter is made from. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{env:([A-Z0-9_]+)\}/g)].map(([, name = '']) => name);
}

/** `A or B and C`: a credential from one of some variables, and what has to come with it. */
export function variablesText(variables: readonly string[], besides: readonly string[]): string {
  return [variables.join(' or '), ...besides].filter((name) => name !== '').join(' and ');
}
