import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { comparableText, isObject, type JsonSchema } from '#contract/json';
import { isMultiple } from '#contract/schema/multiple';
import { isEncoded } from './content-encoding.ts';
import { LazyDefinitions } from './lazy-definitions.ts';
import { mailbox } from './mailbox.ts';
import { timedEngine } from './timed-pattern.ts';

/** Compiles JSON Schemas of the dialect 2020-12. */
export interface SchemaCompiler {
  compile(schema: JsonSchema): ValidateFunction;
}

/** What was compiled in this process, and lives as long as its schema: those of a build are compiled once. */
const compiled = {
  first: new WeakMap<JsonSchema, ValidateFunction>(),
  all: new WeakMap<JsonSchema, ValidateFunction>(),
};

let metaSchema: Ajv2020 | undefined;

/** Definitions that are known to be schemas: tools of a vendor may share theirs. */
const known = new WeakSet<object>();

/**
 * Refuse what is no schema. What all schemas are held to takes longer to compile than most of them,
 * so one does it for all compilers, and makes no effort to be fast afterwards.
 *
 * @throws Error
 */
function requireSchema(schema: JsonSchema): void {
  metaSchema ??= addFormats.default(
    new Ajv2020({
      strict: false,
      strictNumbers: true,
      ownProperties: true,
      logger: false,
      code: { optimize: false },
    }),
  );
  const { $defs, ...root } = schema;
  const isKnown = isObject($defs) && known.has($defs);
  metaSchema.validateSchema(isKnown ? root : schema, true);
  if (isObject($defs)) known.add($defs);
}

interface CompilerOptions {
  /** Look for all problems, and not for the first one only. */
  readonly allErrors: boolean;
  /** Hold texts to their `contentEncoding` too, which JSON Schema leaves open (2020-12 validation, 8.1). */
  readonly encodings?: boolean;
}

/** Make a compiler of validators, which never change what they check. */
export function createSchemaCompiler({ allErrors, encodings }: CompilerOptions): SchemaCompiler {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: false,
    // JSON has no infinity, and 1e400 is read as one.
    strictNumbers: true,
    // Tidying up what is compiled takes as long as compiling it, and what comes out is no faster.
    code: { regExp: timedEngine, optimize: false },
    useDefaults: false,
    // `{}` has neither a `constructor` nor a `toString` of its own.
    ownProperties: true,
    validateSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  // The formats' own check refuses hosts without a dot.
  ajv.addFormat('email', mailbox);
  // The formats' own check takes every whole number, 1e30 too.
  ajv.addFormat('int64', { type: 'number', validate: isLong });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    // The compiler's own divides, and refuses 19.99 as a multiple of 0.01.
    validate: (factor: number, value: number) => isMultiple(value, factor),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: uniqueItems,
  });
  if (encodings) {
    ajv.removeKeyword('contentEncoding');
    ajv.addKeyword({
      keyword: 'contentEncoding',
      type: 'string',
      schemaType: 'string',
      validate: isEncoded,
    });
  }
  const before = allErrors ? compiled.all : compiled.first;
  const definitions = new LazyDefinitions(ajv);
  return {
    compile(schema) {
      const made = before.get(schema);
      if (made !== undefined) return made;
      // Two tools of one vendor may carry the same `$id`, which the compiler would refuse.
      const { $id: _, ...anonymous } = schema;
      requireSchema(anonymous);
      const validate = definitions.compile(anonymous);
      before.set(schema, validate);
      return validate;
    },
  };
}

/** Whether a number is whole and has 64 bits (OpenAPI format registry, int64). */
function isLong(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Takes linear time; the compiler's own comparison of every pair can be made to run for minutes. */
function uniqueItems(wanted: boolean, items: readonly unknown[]): boolean {
  return !wanted || new Set(items.map(comparableText)).size === items.length;
}
