import { isObject } from '#contract/json';
import { RepeatedFindings } from '../../document/repeated-finding.ts';
import { Targets } from '../../document/targets.ts';
import { isReference, type Node, walk } from '../../document/walk.ts';
import { report, type WorkingDocument } from '../../document/working-document.ts';
import { parsePointer } from '../../text/json-pointer.ts';
import type { Path } from '../../text/origins.ts';

/** Parts of parts that are looked into: names of classes hardly go deeper. */
const deepest = 8;
/** More parts than an object is made of. */
const mostParts = 1000;
/** More copies than a description needs. */
const mostCopies = 1000;
/** Parts that are looked at in all: a long chain of parts is looked through from each of its links. */
const mostLooks = 1_000_000;

/** What is left of the bounds of a document, and where its references lead. */
interface Room {
  readonly targets: Targets;
  copies: number;
  looks: number;
}

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
  const room: Room = { targets: new Targets(root), copies: mostCopies, looks: mostLooks };
  let isFound = false;
  walk(grammar, root, {
    leave(name, node, path) {
      const parts: unknown = node['allOf'];
      if (name !== 'Schema' || !Array.isArray(parts)) return;
      const clashing = clashesOf(node, parts, room);
      if (clashing.length === 0) return;
      isFound = true;
      tell([...path, 'allOf']);
      for (const index of clashing) {
        const at = placeOf(parts[index], [...path, 'allOf', index]);
        origins.set(parts, index, origins.at(at));
        parts[index] = opened(parts[index], room);
      }
      if (node['additionalProperties'] === undefined) node['unevaluatedProperties'] ??= false;
    },
  });
  return isFound;
}

/** Positions of the closed parts that forbid a name which another part, or the object itself, has. */
function clashesOf(node: Node, parts: readonly unknown[], room: Room): readonly number[] {
  const own = new Set(Object.keys(isObject(node['properties']) ? node['properties'] : {}));
  const named = parts.map((part) => namesOf(part, room));
  return [...parts.keys()].filter((index) => {
    if (!isClosed(parts[index], room)) return false;
    const others = named.filter((_, other) => other !== index);
    const known = named[index] ?? new Set();
    return [own, ...others].some((names) => !names.isSubsetOf(known));
  });
}

/** Whether a part takes no other properties than it names, by itself or by one of its own parts. */
function isClosed(part: unknown, room: Room): boolean {
  const all = reached(part, room, ['allOf'], (node) => !tellsApart(node));
  return all.some(
    (node) =>
      !tellsApart(node) &&
      [node['additionalProperties'], node['unevaluatedProperties']].includes(false),
  );
}

function tellsApart(node: Node): boolean {
  return isObject(node['discriminator']) || isObject(node['patternProperties']);
}

function namesOf(part: unknown, room: Room): ReadonlySet<string> {
  const all = reached(part, room, ['allOf', 'oneOf', 'anyOf'], () => true);
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
  room: Room,
  keywords: readonly string[],
  goesOn: (node: Node) => boolean,
): readonly Node[] {
  const found = new Set<Node>();
  const waiting = [part];
  for (const each of waiting) {
    const node = room.targets.end(each);
    if (!isObject(node) || found.has(node)) continue;
    if (found.size === mostParts || room.looks === 0) break;
    room.looks -= 1;
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
function opened(part: unknown, room: Room, depth = 0): unknown {
  const node = room.targets.end(part);
  if (!isObject(node) || depth > deepest || room.copies === 0) return part;
  if (!isClosed(node, room)) return part;
  room.copies -= 1;
  const copy: Node = structuredClone(node);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (copy[keyword] === false) delete copy[keyword];
  }
  const parts = partsOf(node);
  if (parts.length > 0) copy['allOf'] = parts.map((each) => opened(each, room, depth + 1));
  return copy;
}

function partsOf({ allOf }: Node): readonly unknown[] {
  return Array.isArray(allOf) ? allOf : [];
}

/** Where a part is written: what it refers to, or its own place. */
function placeOf(part: unknown, own: Path): Path {
  return isReference(part) ? parsePointer(part.$ref.slice(1)) : own;
}
