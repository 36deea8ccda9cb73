import { listedValues } from './listed-values.ts';

/** What is asked here of an object schema that is one of several. */
interface Alternative {
  readonly properties: ReadonlyMap<string, { readonly schema: unknown }>;
  readonly required: ReadonlySet<string>;
}

/** More optional members than these are found in the schema itself. */
const mostOptional = 8;

/** The property by whose values each alternative is told from all others, where there is one. */
export function markOf(alternatives: readonly Alternative[]): string | undefined {
  const [first] = alternatives;
  return [...(first?.properties.keys() ?? [])].find((name) => {
    const values = alternatives.map(({ properties }) => textsOf(properties.get(name)?.schema));
    const all = values.flat();
    return values.every(({ length }) => length > 0) && new Set(all).size === all.length;
  });
}

/** `kind "cat" with lives`: what selects an alternative, what it wants, and what it has besides. */
export function markedText(
  { properties, required }: Alternative,
  mark: string,
  { names, isSure }: { readonly names: string; readonly isSure: (name: string) => boolean },
): string {
  const value = `${mark} ${textsOf(properties.get(mark)?.schema).join(' or ')}`;
  const optional = [...properties.keys()].filter((name) => !isSure(name) && !required.has(name));
  const wanted =
    required.size === 0 || names === 'none of these' || names === mark ? '' : ` with ${names}`;
  if (optional.length === 0 || optional.length > mostOptional) return value + wanted;
  return `${value}${wanted}${wanted === '' ? ' with' : ' and'} optional ${optional.join(', ')}`;
}

function textsOf(schema: unknown): readonly string[] {
  return (listedValues(schema) ?? []).map((value) => JSON.stringify(value));
}
