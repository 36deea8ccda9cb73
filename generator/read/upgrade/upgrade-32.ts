import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import { isReference, type Node, walk } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';

/** References to references, so that a circle of them comes to an end. */
const mostHops = 100;

const component = /^#\/components\/mediaTypes\/[^/]+$/;

/**
 * Put what only OpenAPI 3.2 lets others refer to where it is named: media types that are components, and
 * security schemes that a requirement names by an address (OpenAPI 3.2, security requirement object).
 */
export function upgrade32({ grammar, root, origins }: WorkingDocument): void {
  nameSchemes(root);
  let depth = 0;
  walk(grammar, root, {
    reference(node, shape, { parent, key }) {
      // Those within another one, as of a header of a part, could hold what they stand in.
      if (shape.kind !== 'object' || shape.name !== 'MediaType' || depth > 0) return node;
      let media: unknown = node;
      let steps: readonly string[] = [];
      for (let hop = 0; hop < mostHops && isReference(media); hop++) {
        if (!component.test(media.$ref)) return node;
        steps = parsePointer(media.$ref.slice(1));
        media = lookUp(root, steps);
      }
      if (!isObject(media) || isReference(media)) return node;
      // A body and an answer may share it, and what is written into one is none of the other.
      const copy = bareMap(media);
      for (const member of Object.keys(copy)) {
        origins.set(copy, member, origins.at([...steps, member]));
      }
      parent[key] = copy;
      return copy;
    },
    object(name, node) {
      if (name === 'Operation') nameSchemes(node);
      if (name === 'MediaType') depth++;
    },
    leave(name) {
      if (name === 'MediaType') depth--;
    },
  });
}

const addressed = '#/components/securitySchemes/';

function nameSchemes({ security }: Node): void {
  if (!Array.isArray(security)) return;
  for (const [index, demand] of security.entries()) {
    if (!isObject(demand)) continue;
    const named = Object.entries(demand).map(([name, scopes]) => {
      const isAddress = name.startsWith(addressed);
      return [isAddress ? (parsePointer(name.slice(1)).at(-1) ?? '') : name, scopes];
    });
    security[index] = bareMap(Object.fromEntries(named));
  }
}
