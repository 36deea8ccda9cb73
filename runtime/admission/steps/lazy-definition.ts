import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** Where definitions stand. */
export const definitionsPath = '#/$defs/';

/** Thrown where checking a value takes more than it may. */
export class TooMuchToCheck extends Error {}

/** How often definitions may still be held against a value, and what is wrong with it be told. */
let left = Infinity;

/**
 * Check a value with at most so much work, counted by definitions that are held against parts of it, and by what they
 * find wrong: alternatives that hold each other ask for each part as often as there are ways to it.
 *
 * @throws TooMuchToCheck
 */
export function checkWithin<Result>(most: number, check: () => Result): Result {
  const before = left;
  left = most;
  try {
    return check();
  } finally {
    left = before;
  }
}

function spend(work: number): void {
  left -= work;
  if (left < 0) throw new TooMuchToCheck('there are too many ways to check it');
}

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
    spend(1);
    const inner = compiled();
    const isValid = inner.apply(this, given);
    spend(inner.errors?.length ?? 0);
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
