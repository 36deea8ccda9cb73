import { type Node, walk } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { formatPointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';

/** Where the component schemas of each version stand. */
const sections = [['components', 'schemas'], ['definitions']];

/**
 * Make plain references of those that depend on the way to them, where there is one place that they
 * can lead to: `$dynamicRef` (2020-12 core, 8.2.3.2) where one schema has the anchor, `$recursiveRef`
 * (2019-09 core, 8.2.4.2.1) within its component. Others take anything, which is reported (SPEC020).
 */
export function plainReferences(document: WorkingDocument): void {
  const { grammar, root, origins } = document;
  const anchors = new Map<string, number>();
  const found: { readonly node: Node; readonly keyword: string; readonly path: Path }[] = [];
  const look = (node: Node, path: Path) => {
    const anchor = node['$dynamicAnchor'];
    if (typeof anchor === 'string') anchors.set(anchor, (anchors.get(anchor) ?? 0) + 1);
    for (const keyword of ['$dynamicRef', '$recursiveRef']) {
      if (typeof node[keyword] === 'string') found.push({ node, keyword, path: [...path] });
    }
  };
  walk(grammar, root, {
    object: (name, node, path) => (name === 'Schema' ? look(node, path) : undefined),
    reference(node, shape, { path }) {
      if (shape.kind === 'object' && shape.name === 'Schema') look(node, path);
      return node;
    },
  });
  for (const { node, keyword, path } of found) {
    const reference = plain(String(node[keyword]), keyword, path, anchors);
    if (reference === undefined || node['$ref'] !== undefined) {
      const message = `${keyword} "${node[keyword]}" may lead to several places: any value is taken there`;
      report(document, 'SPEC020', [...path, keyword], message);
      continue;
    }
    origins.set(node, '$ref', origins.at([...path, keyword]));
    delete node[keyword];
    node['$ref'] = reference;
  }
}

function plain(
  reference: string,
  keyword: string,
  path: Path,
  anchors: ReadonlyMap<string, number>,
): string | undefined {
  if (keyword === '$dynamicRef') {
    const [, fragment = ''] = reference.split('#', 2);
    // A pointer is none of the dynamic anchors, and leads where a $ref does.
    return fragment === '' || fragment.includes('/') || (anchors.get(fragment) ?? 0) <= 1
      ? reference
      : undefined;
  }
  const section = sections.find((steps) => steps.every((step, at) => path[at] === step));
  if (reference !== '#' || section === undefined) return undefined;
  return `#${formatPointer(path.slice(0, section.length + 1))}`;
}
