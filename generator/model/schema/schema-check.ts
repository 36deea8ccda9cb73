import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonSchema } from '#contract/json';
import { isMultiple } from '#contract/schema/multiple';
import { patternEngine } from '#contract/schema/pattern';
import { oncePerObject } from './once/once-per-object.ts';

let shared: Ajv2020 | undefined;
let formatted: Ajv2020 | undefined;

/** What descriptions show as examples often lacks the format that they name: it counts for nothing. */
function ajv(): Ajv2020 {
  shared ??= createAjv(false);
  return shared;
}

function formatAjv(): Ajv2020 {
  formatted ??= addFormats.default(createAjv(true));
  return formatted;
}

function createAjv(validateFormats: boolean): Ajv2020 {
  const made = new Ajv2020({
    strict: false,
    validateFormats,
    // As calls are checked: `{}` has no `constructor` of its own.
    ownProperties: true,
    // Each checks a few values: to make its code shorter takes longer than to run it as it is.
    code: { regExp: patternEngine, optimize: false },
    addUsedSchema: false,
    logger: false,
  });
  // As calls are checked: the compiler's own divides, and refuses 19.99 as a multiple of 0.01.
  made.removeKeyword('multipleOf');
  made.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    metaSchema: { type: 'number', exclusiveMinimum: 0 },
    validate: (factor: number, value: number) => isMultiple(value, factor),
    error: { message: ({ schema }) => `must be multiple of ${schema}` },
  });
  return made;
}

/** What makes a schema no schema of draft 2020-12, and where in it; `undefined` when all is well. */
export function schemaFault(schema: JsonSchema): { at: string; message: string } | undefined {
  const checker = ajv();
  if (checker.validateSchema(withoutSound(schema))) return undefined;
  const [error] = checker.errors ?? [];
  return { at: error?.instancePath ?? '', message: error?.message ?? 'is no schema' };
}

/** The schema without the definitions that are schemas: many tools have the same, and each is looked at once. */
function withoutSound(schema: JsonSchema): JsonSchema {
  const { $defs } = schema;
  if (!isObject($defs)) return schema;
  const rest = Object.entries($defs).filter(([, each]) => !isObject(each) || !isSound(each));
  return { ...schema, $defs: Object.fromEntries(rest) };
}

const isSound = oncePerObject(
  // One that names a dialect would be held against that, which counts at the root alone.
  (schema: JsonSchema) => schema['$schema'] === undefined && ajv().validateSchema(schema) === true,
);

/** What is wrong with a value, and where in it; `undefined` when the schema takes it. */
export function valueFault(
  schema: JsonSchema,
  value: unknown,
): { at: string; message: string } | undefined {
  const validate = validatorOf(schema);
  if (typeof validate === 'string') return { at: '', message: validate };
  try {
    const held = ordinary(value);
    if (validate(held)) return undefined;
    // Calls are held to formats: of a number in digits and a UUID, both texts, one fits then.
    if (validate.errors?.some(isChoice) && withFormats(schema)(held)) return undefined;
  } catch (error) {
    // One that names itself in its own `not`, or as its own alternative, is asked again and again.
    if (!(error instanceof RangeError)) throw error;
    return { at: '', message: 'is held against a schema that comes back to itself without end' };
  }
  const [error] = validate.errors ?? [];
  const { additionalProperty } = error?.params ?? {};
  const surplus = additionalProperty === undefined ? '' : `: "${additionalProperty}"`;
  return { at: error?.instancePath ?? '', message: `${error?.message ?? 'is refused'}${surplus}` };
}

/** Made once for all the values that are tried. */
const withFormats = oncePerObject((schema: JsonSchema) => formatAjv().compile(ordinary(schema)));

/** Whether several alternatives fit of which one may. */
function isChoice({ keyword, params }: ErrorObject): boolean {
  return keyword === 'oneOf' && Array.isArray(params['passingSchemas']);
}

/** Objects without prototype, as files are read into, are equal to none that a validator compares. */
function ordinary<Value>(value: Value): Value {
  return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
}

/** Schemas of tools never change, and several values are held against each of them. */
const validators = new WeakMap<JsonSchema, ValidateFunction | string>();

function validatorOf(schema: JsonSchema): ValidateFunction | string {
  const validate = validators.get(schema) ?? compiled(ordinary(schema));
  validators.set(schema, validate);
  return validate;
}

/** A validator, or why there is none: some patterns only fail when they are compiled. */
function compiled(schema: JsonSchema): ValidateFunction | string {
  try {
    return ajv().compile(schema);
  } catch (cause) {
    return (cause as Error).message;
  }
}
