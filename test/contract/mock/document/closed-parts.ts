import { isObject } from '#contract/json';

type Node = Readonly<Record<string, unknown>>;

/** What describes the body of an operation (OpenAPI 3, or Swagger 2.0 among its parameters). */
export function bodyOf({ requestBody, parameters }: Node, root: unknown): readonly unknown[] {
  const named: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  const others = named.map((each) => followed(each, root));
  return [requestBody, ...others.filter((each) => isObject(each) && each['in'] === 'body')];
}

/**
 * Whether somewhere in this, references inside of the document followed, a part of an `allOf` allows
 * no properties but its own, and another part has more, or an alternative of the same object has:
 * `additionalProperties` sees only those that stand beside it (JSON Schema 2020-12, section 10.3.2.3).
 */
export function hasClosedParts(node: unknown, root: unknown, seen = new Set<unknown>()): boolean {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false;
  seen.add(node);
  const target = followed(node, root);
  if (target !== node) return hasClosedParts(target, root, seen);
  const parts = partsOf(node, root);
  const names = new Set(parts.flatMap(namesOf));
  const excludes = (part: Node) =>
    part['additionalProperties'] === false && new Set(namesOf(part)).size < names.size;
  if (parts.length > 1 && parts.some(excludes)) return true;
  if (isObject(node) && node['additionalProperties'] === false) {
    const own = new Set(namesOf(node));
    const others = alternativesOf(node).flatMap((each) => partsOf(each, root).flatMap(namesOf));
    if (others.some((name) => !own.has(name))) return true;
  }
  return Object.values(node).some((member) => hasClosedParts(member, root, seen));
}

/** A schema and all that its `allOf` leads to. */
function partsOf(node: unknown, root: unknown, depth = 0): readonly Node[] {
  const part = followed(node, root);
  if (!isObject(part) || depth > 10) return [];
  const listed: readonly unknown[] = Array.isArray(part['allOf']) ? part['allOf'] : [];
  return [part, ...listed.flatMap((each) => partsOf(each, root, depth + 1))];
}

function alternativesOf({ oneOf, anyOf }: Node): readonly unknown[] {
  return [oneOf, anyOf].flatMap((listed): readonly unknown[] =>
    Array.isArray(listed) ? listed : [],
  );
}

function namesOf({ properties }: Node): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** What a node stands for: itself, or what its reference inside of the document leads to. */
export function followed(node: unknown, root: unknown): unknown {
  const reference = isObject(node) ? node['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith('#/')
    ? standingAt(root, reference.slice(1))
    : node;
}

/** What a JSON pointer (RFC 6901), percent-encoded as in a fragment, leads to. */
export function standingAt(root: unknown, pointer: string): unknown {
  const steps = decodeURIComponent(pointer).split('/').slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof node === 'object' && node !== null ? (node as Node)[name] : undefined;
  }, root);
}
