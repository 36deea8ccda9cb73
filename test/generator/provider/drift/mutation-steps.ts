import {
  type answerOf,
  followed,
  type Node,
  nodeOf,
  operationsOf,
  type Vendor,
} from './vendor-copy.ts';

type Answer = NonNullable<ReturnType<typeof answerOf>>;

export function has(schema: Node, type: string): boolean {
  return [schema['type']].flat().includes(type) && schema['enum'] === undefined;
}

/** Set keys of a node, where the node is as it should be. */
export function set(node: Node, isRight: boolean, keys: Node): boolean {
  if (isRight) Object.assign(node, keys);
  return isRight;
}

export function declare(root: Node): void {
  const components = nodeOf(root['components']);
  const schemes = nodeOf(components['securitySchemes']);
  const driftKey = { type: 'apiKey', in: 'header', name: 'X-Drift-Key' };
  root['components'] = { ...components, securitySchemes: { ...schemes, driftKey } };
}

export function movePath(root: Node, vendor: Vendor): string | undefined {
  const found = operationsOf(vendor, root).find(({ operation }) => operation['operationId']);
  if (!found) return undefined;
  const paths = nodeOf(root['paths']);
  const { path } = found.tool.origin;
  const { [path]: item, ...others } = paths;
  root['paths'] = { ...others, [`/moved${path}`]: item };
  return found.tool.definition.name;
}

export function pagingGone(root: Node, vendor: Vendor): string | undefined {
  for (const operation of operationsOf(vendor, root)) {
    const filled = operation.tool.request.query.flatMap((field) =>
      'name' in field && JSON.stringify(field.value).includes('"name":"cursor"')
        ? [field.name]
        : [],
    );
    const lists = [operation.operation['parameters'], operation.pathItem['parameters']];
    for (const list of lists.filter(Array.isArray)) {
      const index = list.findIndex((one: unknown) =>
        filled.includes(String(followed(root, one)['name'])),
      );
      if (index < 0) continue;
      list.splice(index, 1);
      return operation.tool.definition.name;
    }
  }
  return undefined;
}

export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function demand(schema: Node, name: string | undefined): boolean {
  return set(schema, name !== undefined, { required: [...listed(schema['required']), name] });
}

export function demandInside(schema: Node): boolean {
  const names = Object.keys(nodeOf(schema['properties']));
  return demand(
    schema,
    names.find((name) => !listed(schema['required']).includes(name)),
  );
}

export function lessValues(schema: Node): boolean {
  const values = listed(schema['enum']);
  return set(schema, values.length > 2, { enum: values.slice(0, -1) });
}

export function moreValues(schema: Node): boolean {
  const values = listed(schema['enum']);
  return set(schema, typeof values[0] === 'string', { enum: [...values, 'never-seen'] });
}

/** The list is called otherwise; one that is the whole answer stands in an object. */
export function moveList({ whole, list, items, media }: Answer): boolean {
  const [name] = items;
  if (name === undefined) {
    const isList = [list['type']].flat().includes('array');
    return set(media, isList, { schema: { type: 'object', properties: { all: list } } });
  }
  const properties = nodeOf(whole['properties']);
  if (properties[name] === undefined) return false;
  properties[`${name}_moved`] = properties[name];
  return delete properties[name];
}
