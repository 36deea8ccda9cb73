import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isObject, type JsonSchema } from '#contract/json';

/** A keyword that holds schemas, as the meta-schema of a dialect says; written without sight of the code. */
export interface Applicator {
  readonly dialect: 'draft-04' | 'draft-07' | '2020-12';
  readonly keyword: string;
  readonly holds: 'one' | 'list' | 'map';
}

const { resolve } = createRequire(import.meta.url);

const metaSchemas = {
  'draft-04': ['ajv-draft-04/dist/refs/json-schema-draft-04.json'],
  'draft-07': ['ajv/dist/refs/json-schema-draft-07.json'],
  '2020-12': ['core', 'applicator', 'unevaluated', 'content'].map(
    (name) => `ajv/dist/refs/json-schema-2020-12/meta/${name}.json`,
  ),
} as const;

/** The properties of each dialect's meta-schema. */
export function keywordsOf(dialect: Applicator['dialect']): [string, unknown][] {
  return metaSchemas[dialect].flatMap((path) => {
    const { properties }: JsonSchema = JSON.parse(readFileSync(resolve(path), 'utf8'));
    return Object.entries(properties ?? {});
  });
}

/** Every keyword of three dialects that holds schemas. */
export const applicators: readonly Applicator[] = Object.keys(metaSchemas).flatMap((each) => {
  const dialect = each as Applicator['dialect'];
  return keywordsOf(dialect).flatMap(([keyword, rule]) => {
    const holds = holdsOf(rule);
    return holds ? { dialect, keyword, holds } : [];
  });
});

function holdsOf(rule: unknown): Applicator['holds'] | undefined {
  if (!isObject(rule)) return undefined;
  if (isSchema(rule)) return 'one';
  if (String(rule['$ref']).endsWith('/schemaArray')) return 'list';
  return isObject(rule['additionalProperties']) && isSchema(rule['additionalProperties'])
    ? 'map'
    : undefined;
}

/** Whether a rule says: any schema. */
function isSchema({ $ref, $dynamicRef, anyOf }: Record<string, unknown>): boolean {
  if ($ref === '#' || $dynamicRef === '#meta') return true;
  return Array.isArray(anyOf) && anyOf.some((member) => isObject(member) && isSchema(member));
}

/** A schema in which `inner` stands where the keyword has it; in a map under `name`. */
export function schemaWith(
  { keyword, holds }: Pick<Applicator, 'keyword' | 'holds'>,
  inner: unknown,
  name = 'a',
): JsonSchema {
  const values = { one: inner, list: [inner], map: { [name]: inner } };
  return { [keyword]: values[holds] };
}

/** How a keyword is called in the name of a test. */
export function titleOf({ dialect, keyword }: Applicator): string {
  return `${keyword} (${dialect})`;
}
