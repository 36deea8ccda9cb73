import type { Json } from '#contract/json';

/**
 * Text that the collector takes as it is: of what somebody has registered nothing may be expanded, or
 * a back end could read files and variables of the collector (`${file:...}`, `${env:...}`).
 */
export function literal(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** The same for every text in a value. */
export function literals(value: Json): Json {
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) return value.map(literals);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, literals(each as Json)]),
  );
}
