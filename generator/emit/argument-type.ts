import type { ValueKinds } from '../model/value-kinds.ts';
import { quoted } from './quoted.ts';

const longestUnion = 80;

/**
 * The TypeScript type of an argument: as narrow as its request builder needs it, and short enough
 * for one line. What the builder only passes on is `Json`.
 */
export function argumentType(kinds: ValueKinds, where: 'wire' | 'body'): string {
  const types: string[] = scalarTypes(kinds);
  if (kinds.items !== undefined) types.push(arrayType(kinds.items, where));
  if (kinds.object) types.push('JsonObject');
  if (types.length === 0) return where === 'wire' ? 'string | number | boolean' : 'Json';
  if (kinds.null && where === 'body') types.push('null');
  return types.join(' | ');
}

function scalarTypes({ scalars, values }: ValueKinds): string[] {
  const listed = values?.map(literalType);
  if (listed !== undefined && listed.join(' | ').length <= longestUnion) return listed;
  return [...scalars];
}

function arrayType(items: ValueKinds, where: 'wire' | 'body'): string {
  const type = argumentType(items, where);
  return type.includes(' | ') ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function literalType(value: string | number | boolean): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}
