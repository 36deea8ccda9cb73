import { isObject } from '#contract/json';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { methods } from './check-operations.ts';

/** Templates by their segments; a segment that is only a placeholder goes by `{}`. */
interface Branch {
  readonly children: Map<string, Branch>;
  template?: string;
}

const placeholder = '{}';

/**
 * Report path templates that accept the same URL while neither is more specific (OpenAPI 3.1.2,
 * Paths Object): `/a/{x}` and `/a/{y}`, or `/a/{x}/c` and `/a/b/{y}`, but not `/a/b` and `/a/{x}`.
 */
export function checkTemplates(document: WorkingDocument): void {
  const { paths } = document.root;
  if (!isObject(paths)) return;
  const trunk: Branch = { children: new Map() };
  for (const template of Object.keys(paths)) {
    if (!template.startsWith('/')) continue;
    const segments = template.split('/').slice(1).map(normalised);
    for (const other of rivals(trunk, segments)) {
      const identical = other.split('/').slice(1).map(normalised).join('/') === segments.join('/');
      if (!identical && !shareMethod(paths[template], paths[other])) continue;
      const message = `${template} matches the same URLs as ${other}`;
      report(document, 'SPEC016', ['paths', template], message, {
        related: [{ path: ['paths', other], message: 'first' }],
      });
    }
    plant(trunk, segments, template);
  }
}

function normalised(segment: string): string {
  return segment.replaceAll(/\{[^{}]*\}/g, placeholder);
}

function plant(trunk: Branch, segments: readonly string[], template: string): void {
  let branch = trunk;
  for (const segment of segments) {
    let next = branch.children.get(segment);
    if (next === undefined) {
      next = { children: new Map() };
      branch.children.set(segment, next);
    }
    branch = next;
  }
  branch.template ??= template;
}

/** Templates that overlap with `segments`, each of them the less specific one somewhere. */
function* rivals(
  branch: Branch,
  segments: readonly string[],
  freer = false,
  stricter = false,
): Generator<string> {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    if (branch.template !== undefined && freer === stricter) yield branch.template;
    return;
  }
  for (const [other, next] of branch.children) {
    if (other === segment) yield* rivals(next, rest, freer, stricter);
    else if (segment === placeholder && other !== '') yield* rivals(next, rest, true, stricter);
    else if (other === placeholder && segment !== '') yield* rivals(next, rest, freer, true);
  }
}

function shareMethod(first: unknown, second: unknown): boolean {
  if (!isObject(first) || !isObject(second)) return false;
  return methods.some((method) => isObject(first[method]) && isObject(second[method]));
}
