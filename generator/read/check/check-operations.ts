import { isObject } from '#contract/json';
import type { Follow } from '../document/targets.ts';
import type { Node } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { operationMethods } from '../grammar/operation-methods.ts';
import type { Path } from '../text/origins.ts';

/** Check operations against their paths, and all of them against each other. */
export function checkOperations(document: WorkingDocument, follow: Follow): void {
  const { paths } = document.root;
  if (!isObject(paths)) return;
  const ids = new Map<string, Path>();
  for (const [template, item] of Object.entries(paths)) {
    if (!template.startsWith('/') || !isObject(item)) continue;
    checkPathItem({ document, follow, ids }, template, item);
  }
}

interface Declared {
  readonly name: string;
  readonly in: string;
  readonly path: Path;
}

interface Checking {
  readonly document: WorkingDocument;
  readonly follow: Follow;
  /** Where each operationId stands first. */
  readonly ids: Map<string, Path>;
}

function checkPathItem({ document, follow, ids }: Checking, template: string, item: Node): void {
  const path = ['paths', template];
  const placeholders = placeholdersOf(document, template);
  const shared = parametersOf(follow, item, path);
  checkTwice(document, shared);
  checkTemplate(document, template, placeholders, shared);
  for (const [operation, steps] of operationsOf(item)) {
    const at = [...path, ...steps];
    const own = parametersOf(follow, operation, at);
    checkOperationId(document, operation, at, ids);
    checkTwice(document, own);
    checkTemplate(document, template, placeholders, own);
    if (isDamaged(document, item) || isDamaged(document, operation)) continue;
    const names = new Set([...own, ...shared].filter(inPath).map(({ name }) => name));
    for (const name of placeholders.difference(names)) {
      report(document, 'SPEC010', at, `path parameter "${name}" of ${template} is not declared`, {
        help: `add { name: ${name}, in: path, required: true } to its parameters`,
      });
    }
  }
}

/** A parameter that was taken out may be the very one that is missing. */
function isDamaged({ damaged }: WorkingDocument, owner: Node): boolean {
  return Array.isArray(owner['parameters']) && damaged.has(owner['parameters']);
}

function inPath(parameter: Declared): boolean {
  return parameter.in === 'path';
}

/** Operations of a path item with the steps to them, those of OpenAPI 3.2 included. */
function* operationsOf(item: Node): Generator<[Node, string[]]> {
  for (const method of Object.keys(item)) {
    const operation = item[method];
    if (operationMethods.includes(method) && isObject(operation)) yield [operation, [method]];
  }
  for (const [method, operation] of Object.entries(item['additionalOperations'] ?? {})) {
    if (isObject(operation)) yield [operation, ['additionalOperations', method]];
  }
}

function placeholdersOf(document: WorkingDocument, template: string): Set<string> {
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (const [, name = ''] of template.matchAll(/\{([^{}/]*)\}/g)) {
    if (names.has(name)) repeated.add(name);
    names.add(name);
  }
  for (const name of repeated) {
    report(document, 'SPEC010', ['paths', template], `{${name}} stands twice in ${template}`);
  }
  return names;
}

function parametersOf(follow: Follow, owner: Node, path: Path): Declared[] {
  const { parameters } = owner;
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((parameter, index) => {
    const node = follow(parameter);
    if (!isObject(node)) return [];
    const { name, in: location } = node;
    if (typeof name !== 'string' || typeof location !== 'string') return [];
    return [{ name, in: location, path: [...path, 'parameters', index] }];
  });
}

function checkTwice(document: WorkingDocument, parameters: readonly Declared[]): void {
  const seen = new Map<string, Path>();
  for (const { name, in: location, path } of parameters) {
    // Header names are not case-sensitive (RFC 9110 section 5.1).
    const key = `${location} ${location === 'header' ? name.toLowerCase() : name}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, path);
    else {
      report(document, 'SPEC011', path, `parameter "${name}" in ${location} is declared twice`, {
        related: [{ path: first, message: 'first' }],
      });
    }
  }
}

function checkTemplate(
  document: WorkingDocument,
  template: string,
  placeholders: ReadonlySet<string>,
  parameters: readonly Declared[],
): void {
  for (const { name, path } of parameters.filter(inPath)) {
    if (placeholders.has(name)) continue;
    const message = `path parameter "${name}" is declared but ${template} has no {${name}}`;
    report(document, 'SPEC010', path, message);
  }
}

function checkOperationId(
  document: WorkingDocument,
  operation: Node,
  path: Path,
  ids: Map<string, Path>,
): void {
  const id = operation['operationId'];
  if (typeof id !== 'string') return;
  const at = [...path, 'operationId'];
  const first = ids.get(id);
  if (first === undefined) ids.set(id, at);
  else {
    report(document, 'SPEC012', at, `operationId "${id}" is already used`, {
      related: [{ path: first, message: 'first' }],
    });
  }
}
