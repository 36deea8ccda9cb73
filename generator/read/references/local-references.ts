import { isObject } from '#contract/json';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { Targets } from '../document/targets.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import { lose, report, takeOut, type WorkingDocument } from '../document/working-document.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import { cutAncestorCycles } from './ancestor-cycles.ts';
import type { Bundled, LocalReference } from './bundle.ts';
import { readParentsAsParts } from './parent-parts.ts';

/**
 * Report references to nothing, and chains of references that only lead back to themselves.
 *
 * @returns the references of the document
 */
export function checkLocalReferences(
  document: WorkingDocument,
  { local, refused }: Bundled,
): readonly LocalReference[] {
  const targets = new Targets(document.root);
  const inCycle = new Map<unknown, Diagnostic>();
  for (const { node } of local) node.$ref = targets.direct(node.$ref);
  const broken = local.filter(({ node, path }) => {
    const at = [...path, '$ref'];
    if (targets.of(node.$ref) === undefined) {
      const help = suggestionFor(document.root, node.$ref);
      const message = `$ref "${node.$ref}" leads to nothing`;
      lose(document, at, report(document, 'SPEC006', at, message, { help }));
      return true;
    }
    const cycle = targets.cycleOf(node);
    if (cycle.length === 0) return false;
    const message = `$ref "${node.$ref}" only leads back to itself`;
    const told = inCycle.get(node) ?? report(document, 'SPEC008', at, message);
    // It is told once, and whoever refers to any link of it has lost something.
    lose(document, at, told);
    for (const link of cycle) inCycle.set(link, told);
    return true;
  });
  cutAncestorCycles(document, local, (ref) => targets.of(ref));
  neutralise(document, broken, refused);
  if (broken.length + refused.length > 0) dropDangling(document);
  const whole = local.filter(({ node }) => isReference(node));
  return [...local, ...readParentsAsParts(document, whole, new Targets(document.root))];
}

/** Take out references to what was itself taken out because it was of no use. */
export function dropDangling(document: WorkingDocument): void {
  const { grammar, root } = document;
  const dangling: LocalReference[] = [];
  walk(grammar, root, {
    reference(node, shape, { path }) {
      const target = lookUp(root, parsePointer(node.$ref.slice(1)));
      if (target === undefined) {
        dangling.push({ node, shape, path: [...path] });
        const cause = lossAt(document, node.$ref.slice(1));
        if (cause) lose(document, [...path, '$ref'], cause);
      }
      return node;
    },
  });
  if (dangling.length === 0) return;
  neutralise(document, dangling, []);
  // What was taken out now may itself have been referred to.
  dropDangling(document);
}

/** Why what a reference leads to was taken out. */
function lossAt({ losses }: WorkingDocument, pointer: string): Diagnostic | undefined {
  const isWithin = (outer: string, inner: string) => `${inner}/`.startsWith(`${outer}/`);
  return losses.find(
    ({ pointer: at }) => isWithin(pointer, at) || isWithin(at.replace(/\/\$ref$/, ''), pointer),
  )?.diagnostic;
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

function suggestionFor(root: Node, ref: string): string | undefined {
  const steps = parsePointer(ref.slice(1));
  const container = lookUp(root, steps.slice(0, -1));
  return isObject(container) ? suggestion(steps.at(-1) ?? '', Object.keys(container)) : undefined;
}
