import { isObject } from '#contract/json';
import { includes } from '../../../../generator/read/upgrade/included-schema.ts';
import { standingAt } from './closed-parts.ts';

/**
 * Whether somewhere in this, references inside of the document followed, stands a choice of which a
 * mock cannot know what is meant: by a discriminator, which JSON Schema does not know, or by nothing
 * at all, where one alternative takes what another describes.
 */
export function hasUnclearChoice(node: unknown, root: unknown, seen = new Set<unknown>()): boolean {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false;
  seen.add(node);
  const follow = (schema: unknown) => followed(schema, root);
  const target = follow(node);
  if (target !== node) return hasUnclearChoice(target, root, seen);
  const { oneOf, discriminator } = node as Readonly<Record<string, unknown>>;
  if (Array.isArray(oneOf)) {
    const isAlike = oneOf.some((one, at) =>
      oneOf.some((other, index) => index !== at && includes(one, other, follow)),
    );
    if (isObject(discriminator) || isAlike) return true;
  }
  return Object.values(node).some((member) => hasUnclearChoice(member, root, seen));
}

function followed(node: unknown, root: unknown): unknown {
  const reference = isObject(node) ? node['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith('#/')
    ? standingAt(root, reference.slice(1))
    : node;
}
