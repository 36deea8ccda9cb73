import { RepeatedFindings } from '../document/repeated-finding.ts';
import { Targets } from '../document/targets.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { includes } from './included-schema.ts';

/** More alternatives than anybody compares by hand; each pair of them is looked at. */
const mostAlternatives = 64;

/**
 * Let a `oneOf` be an `anyOf` where one of its alternatives takes all that another describes: exactly
 * one (2020-12 core, 10.2.1.3) then never takes that other one's values, while the vendor, who knows
 * by more than JSON which is meant, does (SPEC026).
 */
export function upgradeChoices(document: WorkingDocument): void {
  const { grammar, root, origins } = document;
  const targets = new Targets(root);
  const follow = (schema: unknown) => {
    let node = schema;
    for (let hops = 0; isBare(node) && hops < mostAlternatives; hops++)
      node = targets.of(node.$ref);
    return node;
  };
  const found = new RepeatedFindings();
  walk(grammar, root, {
    leave(name, node, path) {
      const { oneOf } = node;
      if (name !== 'Schema' || !Array.isArray(oneOf) || node['anyOf'] !== undefined) return;
      if (oneOf.length > mostAlternatives || !isIndistinct(oneOf, follow)) return;
      found.add('oneOf', [...path, 'oneOf']);
      origins.set(node, 'anyOf', origins.at([...path, 'oneOf']));
      node['anyOf'] = oneOf;
      delete node['oneOf'];
    },
  });
  for (const { path, others } of found) {
    const message = `one alternative takes all that another describes: any may fit${others}`;
    report(document, 'SPEC026', path, message);
  }
}

function isBare(node: unknown): node is Node & { $ref: string } {
  return (
    isReference(node) && Object.keys(node).every((key) => key === '$ref' || key === 'description')
  );
}

function isIndistinct(
  alternatives: readonly unknown[],
  follow: (schema: unknown) => unknown,
): boolean {
  return alternatives.some((one, at) =>
    alternatives.some((other, index) => index !== at && includes(one, other, follow)),
  );
}
