import { isObject, type JsonSchema } from '#contract/json';

const nothing = Symbol('cannot be written');

/**
 * Write a value as a strict schema asks for it, going by nothing but what that schema says: null for
 * what is left out, JSON text where its description says so.
 */
export function writtenAs(root: JsonSchema, value: unknown): unknown {
  const written = write(root, value);
  if (written === nothing) throw new Error(`cannot be written: ${JSON.stringify(value)}`);
  return written;

  function write(schema: JsonSchema, exact: unknown, around = ''): unknown {
    const { $ref, anyOf, type, description = around } = schema;
    if (typeof $ref === 'string') {
      return write(definition($ref), exact);
    }
    if (Array.isArray(anyOf)) {
      for (const member of anyOf) {
        const found = write(member, exact, String(description));
        if (found !== nothing) return found;
      }
      return nothing;
    }
    const types = [type].flat();
    if (types.includes('string') && /JSON text of/.test(String(description)))
      return JSON.stringify(exact);
    if (Array.isArray(schema['enum']) && !schema['enum'].includes(exact)) return nothing;
    if (!types.some((each) => isOf(each, exact))) return nothing;
    if (Array.isArray(exact))
      return every(exact.map((each) => write(schema['items'] as JsonSchema, each)));
    return isObject(exact) ? object(schema, exact) : exact;
  }

  function object({ properties }: JsonSchema, exact: Record<string, unknown>): unknown {
    const known = properties as Record<string, JsonSchema>;
    const rest = Object.values(known).find((part) =>
      /further arguments/.test(String(part['description'])),
    );
    const further = Object.entries(exact).filter(([name]) => !Object.hasOwn(known, name));
    if (further.length > 0 && !rest) return nothing;
    const entries = Object.entries(known).map(([name, part]): [string, unknown] => {
      if (part === rest)
        return [name, further.length > 0 ? JSON.stringify(Object.fromEntries(further)) : null];
      if (!Object.hasOwn(exact, name)) return [name, takesNull(part) ? null : nothing];
      const isMarked = exact[name] === null && JSON.stringify(part).includes('explicit_null');
      return [name, isMarked ? { explicit_null: true } : write(part, exact[name])];
    });
    return entries.some(([, each]) => each === nothing) ? nothing : Object.fromEntries(entries);
  }

  function definition(reference: string): JsonSchema {
    return (root['$defs'] as Record<string, JsonSchema>)[reference.slice(8)] ?? {};
  }

  function takesNull(schema: JsonSchema): boolean {
    const { type, anyOf, $ref } = schema;
    if (typeof $ref === 'string') return takesNull(definition($ref));
    return [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some(takesNull));
  }
}

function every(members: unknown[]): unknown {
  return members.includes(nothing) ? nothing : members;
}

function isOf(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
