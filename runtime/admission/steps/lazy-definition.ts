import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** Where definitions stand. */
export const definitionsPath = '#/$defs/';

/** A definition of a schema, compiled by itself. */
export interface Definition {
  readonly schema: unknown;
  /** A validator that is compiled with its first value. */
  readonly later: ValidateFunction;
  /** One of which it is known which members of a value it looks at. */
  readonly now: () => ValidateFunction;
}

/** @param path what references to it say */
export function createDefinition(
  path: string,
  schema: unknown,
  compile: () => ValidateFunction,
): Definition {
  let compiled: ValidateFunction | undefined;
  let isCompiling = false;
  const compiledNow = (): ValidateFunction => {
    if (compiled) return compiled;
    isCompiling = true;
    try {
      compiled = compile();
      return compiled;
    } finally {
      isCompiling = false;
    }
  };
  const later = validator(path, compiledNow);
  later.evaluated = { dynamicProps: false, dynamicItems: false };
  const now = (): ValidateFunction => {
    // A value that a schema takes where the same schema takes it: that leads nowhere.
    if (isCompiling) return later;
    const { evaluated } = compiledNow();
    const found = validator(path, compiledNow);
    if (evaluated) found.evaluated = evaluated;
    return found;
  };
  return { schema, later, now };
}

/** A validator whose problems are told as if it had been compiled together with all others. */
function validator(path: string, compiled: () => ValidateFunction): ValidateFunction {
  const validate = function (this: unknown, ...given: Parameters<ValidateFunction>): boolean {
    const inner = compiled();
    const isValid = inner.apply(this, given);
    validate.errors = inner.errors?.map((error) => placedAt(path, error)) ?? null;
    return isValid === true;
    // Whoever calls it asks for nothing else that a validator has.
  } as ValidateFunction;
  return validate;
}

function placedAt(path: string, error: ErrorObject): ErrorObject {
  const { schemaPath } = error;
  return schemaPath.startsWith(definitionsPath)
    ? error
    : { ...error, schemaPath: path + schemaPath.slice(1) };
}
