import type { ValueKinds } from '../../model/schema/value-kinds.ts';
import type { ArgumentModel } from '../../model/shape/provider-model.ts';
import { quoted } from './quoted.ts';

type Where = ArgumentModel['place'];

const scalar = 'string | number | boolean';

/**
 * The TypeScript type of an argument: as narrow as its request builder needs it, and at most
 * `room` columns wide. What the builder only passes on is `Json`.
 */
export function argumentType(kinds: ValueKinds, where: Where, room: number): string {
  const types = scalarTypes(kinds, room);
  if (kinds.items !== undefined) types.push(arrayType(kinds.items, where, room));
  if (kinds.object)
    types.push(where === 'fields' ? `Readonly<Record<string, ${scalar}>>` : 'JsonObject');
  if (types.length === 0) return where === 'body' ? 'Json' : scalar;
  if (kinds.null && where === 'body') types.push('null');
  return types.join(' | ');
}

/** The values themselves where they are listed and fit, else their types. */
function scalarTypes({ scalars, values }: ValueKinds, room: number): string[] {
  const listed = values?.map(literalType);
  return listed !== undefined && listed.join(' | ').length <= room ? listed : [...scalars];
}

function arrayType(items: ValueKinds, where: Where, room: number): string {
  const type = argumentType(items, where, room - 'readonly ()[]'.length);
  return /^readonly | \| /.test(type) ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function literalType(value: string | number | boolean): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}
