import { bareMap } from '../document/bare-map.ts';
import { valueText } from '../document/value-text.ts';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import type { Path } from '../text/origins.ts';
import { upgradeSchema } from './upgrade-schema.ts';

/** What Swagger 2.0 says about a value beside its name, and OpenAPI 3 says in a schema. */
const valueKeywords = [
  'type',
  'format',
  'items',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
  'multipleOf',
];

/** Move the value keywords of a parameter or header into a schema of its own. */
export function moveToSchema(document: WorkingDocument, node: Node, path: Path): void {
  const { origins } = document;
  const schema = bareMap();
  for (const keyword of valueKeywords) {
    if (node[keyword] === undefined) continue;
    if (keyword === 'items') upgradeInnerItems(document, node[keyword], [...path, keyword]);
    origins.set(schema, keyword, origins.at([...path, keyword]));
    schema[keyword] = node[keyword];
    delete node[keyword];
  }
  origins.set(node, 'schema', origins.at(path));
  node['schema'] = schema;
  upgradeSchema(schema, [...path, 'schema'], origins);
}

function upgradeInnerItems(document: WorkingDocument, items: unknown, path: Path): void {
  if (typeof items !== 'object' || items === null) return;
  const node = items as Node;
  if (node['collectionFormat'] !== undefined && node['collectionFormat'] !== 'csv') {
    const message = `collectionFormat "${node['collectionFormat']}" of nested items is not supported`;
    report(document, 'SPEC020', [...path, 'collectionFormat'], message);
  }
  delete node['collectionFormat'];
  upgradeInnerItems(document, node['items'], [...path, 'items']);
  upgradeSchema(node, path, document.origins);
}

/** How an array is written out: as `csv` where nothing is said, which is no default of OpenAPI 3. */
export function takeStyle(document: WorkingDocument, node: Node, path: Path): Node {
  const { collectionFormat = 'csv', type, in: location } = node;
  delete node['collectionFormat'];
  if (type !== 'array') return bareMap();
  const form = location === 'query' || location === 'formData';
  const style = form ? formStyles[valueText(collectionFormat)] : undefined;
  if (style !== undefined) return bareMap(style);
  if (collectionFormat !== 'csv') {
    const at = [...path, 'collectionFormat'];
    const message = `collectionFormat "${collectionFormat}" has no form in OpenAPI 3 here`;
    report(document, 'SPEC020', at, message);
  }
  return bareMap({ style: form ? 'form' : 'simple', explode: false });
}

const formStyles: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  csv: { style: 'form', explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};
