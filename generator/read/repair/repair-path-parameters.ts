import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import type { Version } from '../document/document-version.ts';
import type { Node } from '../document/walk.ts';
import { operationMethods } from '../grammar/operation-methods.ts';
import type { Path } from '../text/origins.ts';
import { lookedUp, pathParametersOf } from './repair-paths.ts';
import type { Told } from './told.ts';

/** Declare what a path has placeholders for, as texts, and forget path parameters that no path has. */
export function repairPathParameters(root: Node, version: Version, told: Told): void {
  const { paths } = root;
  if (!isObject(paths)) return;
  for (const [template, item] of Object.entries(paths)) {
    if (!isObject(item) || typeof item['$ref'] === 'string') continue;
    const names = new Set(
      [...template.matchAll(/\{([^{}/]*)\}/g)].map(([, name = '']) => name).filter(Boolean),
    );
    const path = ['paths', template];
    const idle = idleIn(root, item, names);
    const shared = kept(root, item, names, { path, told });
    for (const method of operationMethods) {
      const operation = item[method];
      // What stands in another file is not known here (some vendors write operations so).
      if (!isObject(operation) || typeof operation['$ref'] === 'string') continue;
      const at = [...path, method];
      const own = kept(root, operation, names, { path: at, told });
      if (!isKnown(root, item) || !isKnown(root, operation)) continue;
      for (const name of names.difference(shared.union(own))) {
        const given = operation['parameters'];
        const list: unknown[] = Array.isArray(given) ? given : [];
        operation['parameters'] = list;
        const other = idle.find((each) => letters(each['name']) === letters(name));
        list.push(other ? bareMap({ ...other, name }) : pathParameter(name, version));
        const meant = other ? `"${other['name']}" is read as it` : 'it is read as a text';
        told(at, `path parameter "${name}" of ${template} is not declared; ${meant}`);
      }
    }
  }
}

/** Path parameters of a path item and its operations that have no place in the path. */
function idleIn(root: Node, item: Node, names: ReadonlySet<string>): readonly Node[] {
  const owners = [item, ...operationMethods.map((method) => item[method])].filter(isObject);
  return owners.flatMap((owner) => {
    const { parameters } = owner;
    const idle = pathParametersOf(root, owner).filter(({ name }) => !names.has(name));
    return idle.flatMap(({ index }): Node[] => {
      const node = Array.isArray(parameters) ? lookedUp(root, parameters[index]) : undefined;
      return node ? [node] : [];
    });
  });
}

/** `domainName` and `domain_name` are one name. */
function letters(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Take out the path parameters that the path has no place for; gives the names of the others. */
function kept(
  root: Node,
  owner: Node,
  names: ReadonlySet<string>,
  { path, told }: { readonly path: Path; readonly told: Told },
): Set<string> {
  const found = pathParametersOf(root, owner);
  const { parameters } = owner;
  const idle = found.filter(({ name }) => !names.has(name));
  if (Array.isArray(parameters) && idle.length > 0) {
    for (const { name } of idle) told(path, `path parameter "${name}" has no place in the path`);
    const indexes = new Set(idle.map(({ index }) => index));
    owner['parameters'] = parameters.filter((_, index) => !indexes.has(index));
  }
  return new Set(found.map(({ name }) => name));
}

/** Whether every parameter of a list can be looked up: one that cannot may be the missing one. */
function isKnown(root: Node, { parameters }: Node): boolean {
  if (parameters === undefined) return true;
  return (
    Array.isArray(parameters) && parameters.every((each) => lookedUp(root, each) !== undefined)
  );
}

function pathParameter(name: string, version: Version): Node {
  const text = version === '2.0' ? { type: 'string' } : { schema: bareMap({ type: 'string' }) };
  return bareMap({ name, in: 'path', required: true, ...text });
}
