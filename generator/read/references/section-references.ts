import { isObject } from '#contract/json';
import { bareMap } from '../document/bare-map.ts';
import { isReference } from '../document/walk.ts';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { lookUp } from '../text/json-pointer.ts';
import { within } from '../text/origins.ts';
import { resolveReference } from './reference-target.ts';

/**
 * Put a whole section that stands in a file of its own (`components: { securitySchemes: { $ref: a.yaml } }`)
 * in its place. The specification knows a reference for each part of a section alone, and what reads
 * the names in one would take `$ref` for the only one.
 */
export function includeSections(document: WorkingDocument): void {
  const { grammar, root } = document;
  const sections = Object.values(grammar).flatMap(({ section }) =>
    section ? [section.map(String)] : [],
  );
  const parents = sections.flatMap((section) => section.slice(0, 1));
  for (const key of new Set(['paths', ...parents])) includeAt(document, [key]);
  for (const section of sections)
    if (lookUp(root, section) !== undefined) includeAt(document, section);
}

function includeAt(document: WorkingDocument, path: readonly string[]): void {
  const parent = lookUp(document.root, path.slice(0, -1));
  const key = String(path.at(-1));
  const node = isObject(parent) ? parent[key] : undefined;
  if (!isObject(parent) || !isReference(node) || node.$ref.startsWith('#')) return;
  const target = resolveReference(document, node.$ref, path);
  if (target.kind !== 'foreign' || !isObject(target.value)) return;
  const copy = bareMap(target.value);
  for (const step of Object.keys(copy))
    document.origins.set(copy, step, within(target.origin, [step]));
  const message = `all of "${key}" stands in another file; it is read from there`;
  report(document, 'SPEC005', path, message, { severity: 'warning' });
  parent[key] = copy;
}
