import { isObject } from '#contract/json';
import { RepeatedFindings } from '../../document/repeated-finding.ts';
import { Targets } from '../../document/targets.ts';
import { type Node, walk } from '../../document/walk.ts';
import { report, type WorkingDocument } from '../../document/working-document.ts';

/** Keywords whose schemas speak of the same object. */
const inPlace = ['allOf', 'oneOf', 'anyOf'] as const;

/** More parts than an object is made of; each of them is looked at. */
const mostParts = 1000;

/**
 * Close an object over what its parts name, too, where it is closed over its own properties alone:
 * `additionalProperties` sees no further (JSON Schema 2020-12 core, 10.3.2.3), so that nothing that
 * the parts describe could ever be sent. `unevaluatedProperties` (11.3) says what is meant. References
 * are local by now: the parts often stand in files of their own.
 */
export function repairClosed(document: WorkingDocument): void {
  const { grammar, root, origins } = document;
  const targets = new Targets(root);
  const found = new RepeatedFindings();
  walk(grammar, root, {
    leave(name, node, path) {
      if (name !== 'Schema' || node['additionalProperties'] !== false) return;
      if (!namesMore(node, targets)) return;
      found.add('additionalProperties', [...path, 'additionalProperties']);
      origins.set(node, 'unevaluatedProperties', origins.at([...path, 'additionalProperties']));
      node['unevaluatedProperties'] ??= false;
      delete node['additionalProperties'];
    },
  });
  for (const { path, others } of found) {
    const message = `it forbids what its own parts name; it is read as closed over them too${others}`;
    report(document, 'SPEC027', path, message);
  }
}

/** Whether a part of an object names a property that the object itself does not. */
function namesMore(node: Node, targets: Targets): boolean {
  const { properties, patternProperties } = node;
  // Whatever a pattern takes is meant to be described there.
  if (isObject(patternProperties) && Object.keys(patternProperties).length > 0) return false;
  const own = isObject(properties) ? properties : {};
  const seen = new Set<unknown>([node]);
  const waiting = partsOf(node);
  for (const each of waiting) {
    const part = targets.end(each);
    if (!isObject(part) || seen.has(part)) continue;
    if (seen.size > mostParts) return false;
    seen.add(part);
    const named = isObject(part['properties']) ? Object.entries(part['properties']) : [];
    // What is forbidden there is not meant to be sent.
    if (named.some(([name, schema]) => schema !== false && !Object.hasOwn(own, name))) return true;
    waiting.push(...partsOf(part));
  }
  return false;
}

function partsOf(node: Node): unknown[] {
  return inPlace.flatMap((keyword) => {
    const parts: unknown = node[keyword];
    return Array.isArray(parts) ? parts : [];
  });
}
