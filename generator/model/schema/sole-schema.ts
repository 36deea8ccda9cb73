import type { ApiDocument } from '../../read/document/api-document.ts';
import { deepestComposition, listOf, resolve } from './api-operations.ts';

type Node = Record<string, unknown>;

/** Keywords that say nothing of what a value is; what is its own says what it is already. */
const notes =
  /^(?:title|description|default|deprecated|examples?|nullable|readOnly|writeOnly|x-.*)$/;
const combined = ['allOf', 'anyOf', 'oneOf'];

/**
 * The schema of a value behind its references, and behind a combination in which one part alone says
 * what it is: `allOf: [{}, ...]`, or `anyOf` with `null`, as a value that may be left out is described.
 */
export function soleSchema(document: ApiDocument, schema: Node, depth = 0): Node {
  const { node } = resolve(document, { node: schema, pointer: '' });
  const said = Object.keys(node).filter((keyword) => !notes.test(keyword));
  const [keyword = ''] = said;
  if (said.length !== 1 || !combined.includes(keyword) || depth > deepestComposition) return node;
  const parts = listOf(node[keyword])
    .map((part) => resolve(document, { node: part, pointer: '' }).node)
    .filter(
      (part) => part['type'] !== 'null' && Object.keys(part).some((each) => !notes.test(each)),
    );
  const [part] = parts;
  return parts.length === 1 && part !== undefined ? soleSchema(document, part, depth + 1) : node;
}
