/**
 * Name the type of parameters whose choices are all numbers or all booleans: a mock that is not told
 * it compares them with the text of an address.
 *
 * @returns whether one had to be named
 */
export function nameChoices(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  let isNamed = false;
  for (const member of Object.values(node)) isNamed = nameChoices(member) || isNamed;
  const { in: place, schema } = node as {
    in?: unknown;
    schema?: { type?: unknown; enum?: unknown };
  };
  if (typeof place !== 'string' || schema?.type !== undefined) return isNamed;
  const choices = Array.isArray(schema?.enum) ? schema.enum : [];
  const [kind, ...others] = new Set(choices.map((each) => typeof each));
  if (schema === undefined || others.length > 0 || (kind !== 'number' && kind !== 'boolean')) {
    return isNamed;
  }
  schema.type = kind;
  return true;
}
