import assert from 'node:assert/strict';
import { isObject, type JsonSchema } from '#contract/json';
import type { SchemaProfile } from '#contract/schema-profile';

const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const data = ['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type'];
const strictKeywords =
  'type properties required additionalProperties items anyOf enum description $ref $defs title x-mcp-header';

/** Check a schema against the rules of the clients that it is for; written without sight of the code. */
export function checkRules(profile: SchemaProfile, schema: JsonSchema, exact: JsonSchema): void {
  assert.equal(schema['type'], 'object');
  for (const [place, part] of partsOf(schema)) checkPart(place, part, schema);
  checkCircles(schema);
  if (profile === 'anthropic' || profile === 'openai-strict') {
    assert.ok(isObject(schema['properties']), 'properties are always there');
    for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref']) {
      assert.equal(schema[keyword], undefined, `${keyword} at the root`);
    }
    for (const name of namesOf(exact)) assert.ok(namesOf(schema).includes(name), name);
  }
  if (profile === 'openai-strict')
    for (const [place, part] of partsOf(schema)) checkStrict(place, part);
}

function checkPart(place: string, part: unknown, root: JsonSchema): void {
  if (/\/(?:properties|\$defs)\/[^/]*$/.test(place))
    assert.ok(isObject(part), `${place} is a boolean`);
  if (!isObject(part)) return;
  const { additionalProperties, $ref } = part;
  if (isObject(additionalProperties)) assert.notDeepEqual(additionalProperties, {}, place);
  if ($ref === undefined) return;
  assert.match(String($ref), /^#\/\$defs\/[^/]+$/, place);
  assert.ok(
    isObject(root['$defs']) && Object.hasOwn(root['$defs'], String($ref).slice(8)),
    `${place}: ${$ref}`,
  );
}

function checkStrict(place: string, part: unknown): void {
  assert.ok(isObject(part), place);
  const { type, properties, required, $ref, anyOf } = part;
  for (const keyword of Object.keys(part))
    assert.ok(strictKeywords.split(' ').includes(keyword), `${place}: ${keyword}`);
  assert.ok(
    type !== undefined || $ref !== undefined || anyOf !== undefined,
    `${place} has no type`,
  );
  if ($ref !== undefined) assert.deepEqual(Object.keys(part), ['$ref'], place);
  if ([type].flat().includes('array')) assert.ok(isObject(part['items']), `${place} has no items`);
  if (![type].flat().includes('object')) return;
  assert.equal(part['additionalProperties'], false, place);
  assert.ok(isObject(properties), place);
  assert.deepEqual(required, Object.keys(properties), place);
}

function namesOf({ properties }: JsonSchema): string[] {
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) =>
    part === false ? [] : [name],
  );
}

/** No definition leads back to itself. */
function checkCircles(root: JsonSchema): void {
  const definitions = isObject(root['$defs']) ? root['$defs'] : {};
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    assert.ok(!above.includes(name), `${[...above, name].join(' > ')}`);
    if (done.has(name)) return;
    for (const [, part] of partsOf(definitions[name])) {
      const { $ref } = isObject(part) ? part : {};
      if ($ref !== undefined) visit(String($ref).slice(8), [...above, name]);
    }
    done.add(name);
  };
  for (const name of Object.keys(definitions)) visit(name, []);
}

function partsOf(root: unknown): [string, unknown][] {
  const parts: [string, unknown][] = [['', root]];
  for (const [place, part] of parts) {
    if (!isObject(part)) continue;
    for (const [keyword, value] of Object.entries(part)) {
      if (data.includes(keyword)) continue;
      const members =
        maps.includes(keyword) || Array.isArray(value) ? Object.entries(value as object) : [];
      for (const [name, member] of members) parts.push([`${place}/${keyword}/${name}`, member]);
      const isSchema =
        members.length === 0 && !Array.isArray(value) && isObject(value) && !maps.includes(keyword);
      if (isSchema) parts.push([`${place}/${keyword}`, value]);
    }
  }
  return parts;
}
