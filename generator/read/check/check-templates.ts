import { isObject } from '#contract/json';
import { report, type WorkingDocument } from '../document/working-document.ts';
import { operationMethods } from '../grammar/operation-methods.ts';

/** Templates by their segments; a segment that is only a placeholder goes by `{}`. */
interface Branch {
  readonly children: Map<string, Branch>;
  template?: string;
}

const placeholder = '{}';

/** Paths that one path is told to be mistaken for: thousands of pairs say no more. */
const mostRivals = 3;

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
    let told = 0;
    for (const other of rivals(trunk, segments)) {
      const identical = other.split('/').slice(1).map(normalised).join('/') === segments.join('/');
      if (!identical && !shareMethod(paths[template], paths[other])) continue;
      told += 1;
      if (told > mostRivals) break;
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
  const same = branch.children.get(segment);
  if (same !== undefined) yield* rivals(same, rest, freer, stricter);
  if (segment === placeholder) {
    for (const [other, next] of branch.children) {
      if (other !== placeholder && other !== '') yield* rivals(next, rest, true, stricter);
    }
  } else if (segment !== '') {
    const any = branch.children.get(placeholder);
    if (any !== undefined) yield* rivals(any, rest, freer, true);
  }
}

function shareMethod(first: unknown, second: unknown): boolean {
  if (!isObject(first) || !isObject(second)) return false;
  return operationMethods.some((method) => isObject(first[method]) && isObject(second[method]));
}
