import { isObject } from '#contract/json';
import { valueText } from '../document/value-text.ts';
import { isReference, type Node } from '../document/walk.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { lookUp, parsePointer } from '../text/json-pointer.ts';
import type { Path } from '../text/origins.ts';
import { valuesOfProperty } from './property-values.ts';
import { choiceOf, narrow, ownValue, referenceOf } from './upgrade-discriminators.ts';

const components = '#/components/schemas/';

/**
 * Write the schemas that extend a discriminated base, or that its mapping names, as the alternatives of
 * a body that names the base alone (OpenAPI 3.1.1, Discriminator Object): what only they have could not
 * be sent otherwise.
 */
export function upgradeDiscriminatedBodies(document: WorkingDocument): void {
  const { root, origins } = document;
  const heirs = heirsIn(root);
  for (const { media, path } of bodiesIn(root)) {
    const { schema } = media;
    if (!isReference(schema) || Object.keys(schema).some((key) => key !== '$ref')) continue;
    const base = lookUp(root, parsePointer(schema.$ref.slice(1)));
    if (!isObject(base) || !isObject(base['discriminator'])) continue;
    const { discriminator } = base;
    const own = [...new Set([...allHeirs(heirs, schema.$ref), ...mappedIn(root, discriminator)])];
    const isAlone = own.every((each) => each === schema.$ref);
    if (isAlone || base['oneOf'] !== undefined || base['anyOf'] !== undefined) continue;
    const list = alternativesOf(root, schema, { discriminator, own });
    const at: Path = [...path, 'schema'];
    const origin = origins.at(at);
    for (const index of list.keys()) origins.set(list, index, origin);
    const choice = choiceOf(root, discriminator, list);
    if (choice) narrow(root, choice, { list, path: [...at, 'anyOf'], origins });
    const union: Node = { anyOf: list, discriminator };
    for (const key of ['anyOf', 'discriminator']) origins.set(union, key, origin);
    media['schema'] = union;
    origins.set(media, 'schema', origin);
  }
}

/** The schemas of a mapping that have the property which tells them apart, whether they extend the base or not. */
function mappedIn(root: Node, { propertyName, mapping }: Node): readonly string[] {
  const targets = Object.values(isObject(mapping) ? mapping : {});
  return targets
    .map((target) => referenceOf(root, target))
    .filter((each) => valuesOfProperty(root, { $ref: each }, valueText(propertyName)).isDeclared);
}

/** Those who extend a base, and the base itself for the values of the property that none of them has. */
function alternativesOf(
  root: Node,
  schema: Node & { $ref: string },
  { discriminator, own }: { readonly discriminator: Node; readonly own: readonly string[] },
): unknown[] {
  const { propertyName, mapping } = discriminator;
  const mapped = Object.keys(isObject(mapping) ? mapping : {});
  const names = own.map((each) => ownValue(root, each) ?? parsePointer(each.slice(1)).at(-1));
  const taken = new Set<unknown>([...mapped, ...names]);
  const { values = [] } = valuesOfProperty(root, schema, valueText(propertyName));
  const rest = values.filter((value) => !taken.has(value));
  const heirs: unknown[] = own.map(($ref) => ({ $ref }));
  if (rest.length === 0) return heirs;
  const value = rest.length === 1 ? { const: rest[0] } : { enum: rest };
  const only = { properties: Object.fromEntries([[valueText(propertyName), value]]) };
  return [...heirs, { allOf: [{ $ref: schema.$ref }, only] }];
}

type Heirs = ReadonlyMap<string, readonly string[]>;

/** The component schemas that extend another one, by a reference in their `allOf`. */
function heirsIn({ components: all }: Node): Heirs {
  const found = new Map<string, string[]>();
  const schemas = isObject(all) && isObject(all['schemas']) ? all['schemas'] : {};
  for (const [name, schema] of Object.entries(schemas)) {
    const parts: unknown = isObject(schema) ? schema['allOf'] : undefined;
    const bases = Array.isArray(parts) ? parts.filter((part) => isReference(part)) : [];
    const own = components + name.replaceAll('~', '~0').replaceAll('/', '~1');
    for (const { $ref } of bases) found.set($ref, [...(found.get($ref) ?? []), own]);
  }
  return found;
}

/** With those who extend them. */
function allHeirs(heirs: Heirs, base: string): readonly string[] {
  const reached = new Set(heirs.get(base));
  // A set also visits what is added while it is walked.
  for (const each of reached) for (const next of heirs.get(each) ?? []) reached.add(next);
  reached.delete(base);
  return [...reached];
}

/** What bodies consist of, in operations and among the components. */
function bodiesIn(root: Node): { readonly media: Node; readonly path: Path }[] {
  const under = (value: unknown, path: Path): [unknown, Path][] =>
    isObject(value) ? Object.keys(value).map((key) => [value[key], [...path, key]]) : [];
  const operations = under(root['paths'], ['paths']).flatMap(([item, path]) => under(item, path));
  const shared = isObject(root['components']) ? root['components']['requestBodies'] : undefined;
  const bodies = [
    ...operations.map(([operation, path]): [unknown, Path] => [
      isObject(operation) ? operation['requestBody'] : undefined,
      [...path, 'requestBody'],
    ]),
    ...under(shared, ['components', 'requestBodies']),
  ];
  return bodies.flatMap(([body, path]) =>
    isObject(body)
      ? under(body['content'], [...path, 'content']).flatMap(([media, at]) =>
          isObject(media) ? [{ media, path: at }] : [],
        )
      : [],
  );
}
