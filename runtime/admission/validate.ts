import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ToolError } from '#contract/errors';
import type { Operation } from '#contract/operation';
import { explain } from './argument-errors.ts';
import type { Run, Step } from './pipeline.ts';
import { createSchemaCompiler } from './schema-compiler.ts';

/** Of larger inputs only the first problem is reported: one could have millions of them. */
const mostValues = 2000;

/** Check what an operation is called with against its schema, compiled once, on first use. */
export function createValidation(): Step {
  const strict = createSchemaCompiler({ allErrors: false });
  const thorough = createSchemaCompiler({ allErrors: true });
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    const schema = operation.input;
    if (!schema) return next;
    let validate: ValidateFunction | undefined;
    let findAll: ValidateFunction | undefined;
    return (input, context) => {
      validate ??= strict.compile(schema);
      if (validate(input)) return next(input, context);
      let errors: readonly ErrorObject[] | null | undefined = validate.errors;
      if (hasAtMost(mostValues, input)) {
        findAll ??= thorough.compile(schema);
        findAll(input);
        errors = findAll.errors;
      }
      const message = explain(operation.name, schema, errors ?? []);
      throw new ToolError('invalid_arguments', message, { retryable: false });
    };
  };
}

function hasAtMost(most: number, input: unknown): boolean {
  const queue: unknown[] = [input];
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (queue.length + members.length > most) return false;
    queue.push(...members);
  }
  return true;
}
