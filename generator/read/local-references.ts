import { isObject } from '#contract/json';
import { suggestion } from '../model/report.ts';
import { cutAncestorCycles } from './ancestor-cycles.ts';
import type { Bundled, LocalReference } from './bundle.ts';
import { formatPointer, lookUp, parsePointer } from './json-pointer.ts';
import type { Path } from './origins.ts';
import { isReference, type Node, walk } from './walk.ts';
import { report, takeOut, type WorkingDocument } from './working-document.ts';

/** Report references to nothing, and chains of references that only lead back to themselves. */
export function checkLocalReferences(
  document: WorkingDocument,
  { local: references, refused }: Bundled,
): void {
  const targets = new Map<string, unknown>();
  const inCycle = new Set<unknown>();
  const broken: LocalReference[] = [];

  function targetOf(ref: string): unknown {
    if (!targets.has(ref)) targets.set(ref, lookUp(document.root, parsePointer(ref.slice(1))));
    return targets.get(ref);
  }

  function isCycle(first: unknown): boolean {
    const seen = new Set<unknown>();
    for (let node = first; isReference(node); node = targetOf(node.$ref)) {
      if (seen.has(node)) return node === first;
      seen.add(node);
    }
    return false;
  }

  for (const reference of references) {
    const { node, path } = reference;
    const at = [...path, '$ref'];
    if (targetOf(node.$ref) === undefined) node.$ref = throughReferences(document.root, node.$ref);
    if (node.$ref === '#' || targetOf(node.$ref) === undefined) {
      report(document, 'SPEC006', at, `$ref "${node.$ref}" leads to nothing`, {
        help: suggestionFor(document.root, node.$ref),
      });
      broken.push(reference);
    } else if (isReference(targetOf(node.$ref)) && isCycle(node)) {
      if (!inCycle.has(node)) {
        report(document, 'SPEC008', at, `$ref "${node.$ref}" only leads back to itself`);
      }
      for (let link: unknown = node; isReference(link) && !inCycle.has(link); ) {
        inCycle.add(link);
        link = targetOf(link.$ref);
      }
      broken.push(reference);
    }
  }
  cutAncestorCycles(document, references, targetOf);
  neutralise(document, broken, refused);
  if (broken.length + refused.length > 0) dropDangling(document);
}

/** Take out references to what was itself taken out because it was of no use. */
export function dropDangling(document: WorkingDocument): void {
  const { grammar, root } = document;
  const dangling: LocalReference[] = [];
  walk(grammar, root, {
    reference(node, shape, { path }) {
      const target = lookUp(root, parsePointer(node.$ref.slice(1)));
      if (target === undefined) dangling.push({ node, shape, path: [...path] });
      return node;
    },
  });
  if (dangling.length === 0) return;
  neutralise(document, dangling, []);
  // What was taken out now may itself have been referred to.
  dropDangling(document);
}

/** A schema that leads nowhere allows everything; other things that do are taken out. */
function neutralise(
  document: WorkingDocument,
  broken: readonly LocalReference[],
  refused: readonly Path[],
): void {
  const others = broken.filter(({ node, shape }) => {
    const isSchema = shape.kind === 'object' && shape.name === 'Schema';
    if (isSchema) delete (node as Node)['$ref'];
    return !isSchema;
  });
  takeOut(document, [...refused, ...others.map(({ path }) => path)]);
}

/**
 * Where a pointer leads that passes through another reference on its way. JSON Pointer knows no
 * such thing, but many descriptions rely on tools that do.
 */
function throughReferences(root: Node, ref: string): string {
  let steps = parsePointer(ref.slice(1));
  let node: unknown = root;
  for (let index = 0, links = 0; index < steps.length && links < 100; index++) {
    const next = lookUp(node, [steps[index] ?? '']);
    if (next === undefined && isReference(node)) {
      steps = [...parsePointer(node.$ref.slice(1)), ...steps.slice(index)];
      node = root;
      index = -1;
      links++;
    } else node = next;
  }
  return node === undefined ? ref : `#${formatPointer(steps)}`;
}

function suggestionFor(root: Node, ref: string): string | undefined {
  const steps = parsePointer(ref.slice(1));
  const container = lookUp(root, steps.slice(0, -1));
  return isObject(container) ? suggestion(steps.at(-1) ?? '', Object.keys(container)) : undefined;
}
