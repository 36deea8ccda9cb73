import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readProviderFolder } from '../../../../generator/kinds/provider-files/provider-folder.ts';
import type { ToolModel } from '../../../../generator/model/shape/provider-model.ts';
import { planProvider } from '../../../../generator/model/vendor/plan-provider.ts';
import { type DriftReport, driftOf } from '../../../../generator/provider/drift/find-drift.ts';
import { readApi } from '../../../../generator/read/read-api.ts';

export type Node = { [key: string]: unknown };

const base = join(import.meta.dirname, '../../../..');

/** A kept vendor whose description is copied, changed and held against what is kept. */
export interface Vendor {
  readonly id: string;
  readonly tools: readonly ToolModel[];
  /** A copy of its description that may be changed. */
  copy(): Node;
  drift(later: Node | string): Promise<DriftReport>;
}

export async function openVendor(id: string): Promise<Vendor> {
  const { sources } = await readProviderFolder(`specs/providers/${id}`, base);
  if (!sources) throw new Error(`${id} cannot be read`);
  const text = readFileSync(join(base, 'specs/providers', id, 'openapi.yaml'), 'utf8');
  const json = JSON.stringify(parse(text));
  const { tools } = planProvider(sources).model;
  return {
    id,
    tools,
    copy: () => JSON.parse(json),
    async drift(later) {
      const folder = mkdtempSync(join(tmpdir(), 'drift-test-'));
      try {
        const isText = typeof later === 'string';
        const file = join(folder, isText ? 'later.yaml' : 'later.json');
        writeFileSync(file, isText ? later : JSON.stringify(later));
        const read = await readApi({ file, root: folder, base: folder, repairs: true });
        if (!read.document) throw new Error(JSON.stringify(read.diagnostics));
        const { document } = read;
        return driftOf({ id, base }, { document }, { ...sources, tools });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

/** The text of a vendor's description. */
export function descriptionOf(id: string): string {
  return readFileSync(join(base, 'specs/providers', id, 'openapi.yaml'), 'utf8');
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** What stands behind a local reference. */
export function followed(root: Node, value: unknown): Node {
  const node = nodeOf(value);
  const { $ref } = node;
  if (typeof $ref !== 'string') return node;
  const steps = $ref.slice(2).split('/');
  const target = steps.reduce<unknown>(
    (at, step) => nodeOf(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
  return followed(root, target);
}

/** The operations of a copy that tools are made of, without those of GraphQL. */
export function operationsOf({ tools }: Vendor, root: Node) {
  return tools.flatMap((tool) => {
    const pathItem = nodeOf(nodeOf(root['paths'])[tool.origin.path]);
    const operation = pathItem[tool.origin.method.toLowerCase()];
    return isNode(operation) ? [{ tool, pathItem, operation }] : [];
  });
}

export type Operation = ReturnType<typeof operationsOf>[number];

/** Query parameters that are arguments, each with its schema. */
export function queryOf(root: Node, { tool, pathItem, operation }: Operation) {
  const sent = tool.request.query.flatMap((field) =>
    'name' in field && field.value.kind === 'argument' ? [field.name] : [],
  );
  return [operation, pathItem].flatMap((holder) => {
    const list = holder['parameters'];
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry: unknown) => {
      const parameter = followed(root, entry);
      const name = String(parameter['name']);
      if (parameter['in'] !== 'query' || !sent.includes(name)) return [];
      const remove = () => void list.splice(list.indexOf(entry), 1);
      return [{ parameter, name, schema: followed(root, parameter['schema']), remove }];
    });
  });
}

/** The schema of a JSON body whose members are arguments. */
export function bodyOf(root: Node, { tool, operation }: Operation) {
  const plan = tool.request.body;
  const body = followed(root, operation['requestBody']);
  const media = nodeOf(nodeOf(body['content'])['application/json']);
  const schema = followed(root, media['schema']);
  const isOpened = plan?.kind === 'json' && plan.value.kind === 'object';
  const properties = nodeOf(schema['properties']);
  if (!isOpened || Object.keys(properties).length === 0) return undefined;
  const fields = plan.value.kind === 'object' ? plan.value.fields : [];
  const names = fields.flatMap((field) =>
    'name' in field && field.value.kind === 'argument' ? [field.name] : [],
  );
  return { body, schema, properties, names };
}

/** The schema of what callers see of a JSON answer: of each item, or of the whole. */
export function answerOf(root: Node, { tool, operation }: Operation) {
  const response = followed(root, nodeOf(operation['responses'])['200']);
  const content = nodeOf(response['content']);
  const media = nodeOf(content['application/json']);
  const whole = followed(root, media['schema']);
  const { items, pick, drop, map, follow } = tool.behaviour.response ?? {};
  if (Object.keys(whole).length === 0 || map || follow) return undefined;
  let schema = whole;
  for (const step of items ?? []) schema = followed(root, nodeOf(schema['properties'])[step]);
  const item = items ? followed(root, schema['items']) : schema;
  const names = Object.keys(nodeOf(item['properties'])).filter(
    (name) => (pick?.includes(name) ?? true) && !drop?.includes(name),
  );
  const properties = nodeOf(item['properties']);
  const isPicked = pick !== undefined;
  return {
    content,
    media,
    whole,
    list: schema,
    items: items ?? [],
    item,
    properties,
    names,
    isPicked,
  };
}
