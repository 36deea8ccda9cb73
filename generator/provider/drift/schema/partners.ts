import type { ApiDocument } from '../../../read/document/api-document.ts';
import { type Schema, viewOf } from './schema-view.ts';

/** The choices of one document. */
type Side = readonly [ApiDocument, readonly Schema[]];

/**
 * Choices that are plainly the same one in both documents: that have the same name, else look alike
 * and like no other. Without them each of a union would be held against each, again and again where
 * unions lead back to themselves.
 */
export function partnersOf(before: Side, after: Side): ReadonlyMap<Schema, Schema> {
  const found = new Map<Schema, Schema>();
  for (const markOf of [nameOf, lookOf]) {
    const [some, others] = [before, after].map(([document, schemas]) =>
      marked(
        schemas.filter((one) => !found.has(one)),
        (schema) => markOf(schema, document),
      ),
    );
    for (const [mark, one] of some ?? []) {
      const other = others?.get(mark);
      if (one && other) found.set(one, other).set(other, one);
    }
  }
  return found;
}

/** Schemas by what they are known by; nothing where several are known by the same. */
function marked(schemas: readonly Schema[], markOf: (schema: Schema) => string) {
  const found = new Map<string, Schema | undefined>();
  for (const schema of schemas) {
    const mark = markOf(schema);
    if (mark !== '') found.set(mark, found.has(mark) ? undefined : schema);
  }
  return found;
}

function nameOf(schema: Schema): string {
  return schema.flatMap(({ node }) => node['$ref'] ?? []).join(' ');
}

/** What tells choices apart at a glance: types, names of members, and their listed values. */
function lookOf(schema: Schema, document: ApiDocument): string {
  const { types, values, properties } = viewOf(document, schema);
  const members = [...properties].map(([name, member]) => {
    const told = member.flatMap(({ node }) => node['const'] ?? node['enum'] ?? []);
    return `${name}=${JSON.stringify(told)}`;
  });
  const all = [[...(types ?? [])].toSorted(), values ?? null, members.toSorted()];
  return JSON.stringify(all);
}
