import type { ApiDocument } from '../../read/document/api-document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A look at schemas of a document that is taken once at each: guesses ask for the same ones again and again. */
export function oncePerSchema<Found>(
  look: (document: ApiDocument, schema: Schema) => Found,
): (document: ApiDocument, schema: Schema) => Found {
  const known = new WeakMap<ApiDocument, WeakMap<Schema, Found>>();
  return (document, schema) => {
    const ofDocument = known.get(document) ?? new WeakMap<Schema, Found>();
    known.set(document, ofDocument);
    const found = ofDocument.get(schema) ?? look(document, schema);
    ofDocument.set(schema, found);
    return found;
  };
}
