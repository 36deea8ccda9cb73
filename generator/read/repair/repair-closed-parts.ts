import { isObject } from '#contract/json';
import { RepeatedFindings } from '../document/repeated-finding.ts';
import { Targets } from '../document/targets.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';

/** Parts of parts that are looked into: names of classes hardly go deeper. */
const deepest = 8;
/** More parts than an object is made of, and more copies than a description needs. */
const [mostParts, mostCopies] = [1000, 1000];

/**
 * Open the parts of an object that forbid what its other parts name, and close the object over all of
 * them: generators write each class closed and join it to its base by `allOf`, which no value can
 * satisfy (JSON Schema 2020-12 core, 10.2.1.1 and 10.3.2.3). The part is copied into its place, for
 * where it stands alone it is closed and right. A base whose property tells its classes apart is
 * known by the reference, so it stays.
 */
export function repairClosedParts(document: WorkingDocument): void {
  const found = new RepeatedFindings();
  const isFound = openParts(document, (path) => found.add('allOf', path));
  // What was copied before what it holds had been opened.
  if (isFound) openParts(document, () => {});
  for (const { path, others } of found) {
    const message = `its parts forbid what each other name; they are read as closed together${others}`;
    report(document, 'SPEC027', path, message);
  }
}

function openParts(document: WorkingDocument, tell: (path: Path) => void): boolean {
  const { grammar, root, origins } = document;
  const targets = new Targets(root);
  const room = { left: mostCopies };
  let isFound = false;
  walk(grammar, root, {
    leave(name, node, path) {
      const parts: unknown = node['allOf'];
      if (name !== 'Schema' || !Array.isArray(parts)) return;
      const clashing = clashesOf(node, parts, targets);
      if (clashing.length === 0) return;
      isFound = true;
      tell([...path, 'allOf']);
      for (const index of clashing) {
        const at = placeOf(parts[index], [...path, 'allOf', index]);
        origins.set(parts, index, origins.at(at));
        parts[index] = opened(parts[index], targets, room);
      }
      if (node['additionalProperties'] === undefined) node['unevaluatedProperties'] ??= false;
    },
  });
  return isFound;
}

/** Positions of the closed parts that forbid a name which another part, or the object itself, has. */
function clashesOf(node: Node, parts: readonly unknown[], targets: Targets): readonly number[] {
  const own = new Set(Object.keys(isObject(node['properties']) ? node['properties'] : {}));
  const named = parts.map((part) => namesOf(part, targets));
  return [...parts.keys()].filter((index) => {
    if (!isClosed(parts[index], targets)) return false;
    const others = named.filter((_, other) => other !== index);
    const known = named[index] ?? new Set();
    return [own, ...others].some((names) => !names.isSubsetOf(known));
  });
}

/** Whether a part takes no other properties than it names, by itself or by one of its own parts. */
function isClosed(part: unknown, targets: Targets): boolean {
  const all = reached(part, targets, ['allOf'], (node) => !tellsApart(node));
  return all.some(
    (node) =>
      !tellsApart(node) &&
      [node['additionalProperties'], node['unevaluatedProperties']].includes(false),
  );
}

function tellsApart(node: Node): boolean {
  return isObject(node['discriminator']) || isObject(node['patternProperties']);
}

function namesOf(part: unknown, targets: Targets): ReadonlySet<string> {
  const all = reached(part, targets, ['allOf', 'oneOf', 'anyOf'], () => true);
  return new Set(
    all.flatMap(({ properties }) =>
      Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
        schema === false ? [] : [name],
      ),
    ),
  );
}

/** A part and its own parts, each once: parts of parts multiply where they are shared. */
function reached(
  part: unknown,
  targets: Targets,
  keywords: readonly string[],
  goesOn: (node: Node) => boolean,
): readonly Node[] {
  const found = new Set<Node>();
  const waiting = [part];
  for (const each of waiting) {
    const node = targets.end(each);
    if (!isObject(node) || found.has(node)) continue;
    if (found.size === mostParts) break;
    found.add(node);
    if (!goesOn(node)) continue;
    for (const keyword of keywords) {
      const list: unknown = node[keyword];
      if (Array.isArray(list)) waiting.push(...list);
    }
  }
  return [...found];
}

/** A copy of a part that takes other properties, too; what is copied more often stays as it is. */
function opened(part: unknown, targets: Targets, room: { left: number }, depth = 0): unknown {
  const node = targets.end(part);
  if (!isObject(node) || depth > deepest || room.left === 0) return part;
  if (!isClosed(node, targets)) return part;
  room.left -= 1;
  const copy: Node = structuredClone(node);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (copy[keyword] === false) delete copy[keyword];
  }
  const parts = partsOf(node);
  if (parts.length > 0) copy['allOf'] = parts.map((each) => opened(each, targets, room, depth + 1));
  return copy;
}

function partsOf({ allOf }: Node): readonly unknown[] {
  return Array.isArray(allOf) ? allOf : [];
}

/** Where a part is written: what it refers to, or its own place. */
function placeOf(part: unknown, own: Path): Path {
  return isReference(part) ? parsePointer(part.$ref.slice(1)) : own;
}
