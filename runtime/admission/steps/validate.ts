import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ToolError } from '#contract/errors';
import type { JsonSchema } from '#contract/json';
import type { Operation } from '#contract/operation';
import { explain } from './argument-errors.ts';
import { ofChosen } from './chosen-alternative.ts';
import { checkWithin, TooMuchToCheck } from './lazy-definition.ts';
import type { Input, Run, Step } from './pipeline.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { TooLongToMatch } from './timed-pattern.ts';

/** Of larger inputs only the first problem is reported: one could have millions of them. */
const mostValues = 2000;

/** How often definitions are held against parts of any input, and of one of many values for each of them. */
const mostWork = 100_000;
const workForValue = 200;
/** The same to find all that is wrong with it: where that is not enough, the first problem is told. */
const mostToExplain = 5_000;

const tooInvolved =
  'the arguments cannot be checked: alternatives that hold each other are nested too deeply in them';

const tooLong =
  'the arguments cannot be checked: a text in them is too long for the pattern that it has to match';

/** Check what an operation is called with against its schema, compiled once, on first use. */
export function createValidation(): Step {
  let compilers: Promise<Compilers> | undefined;
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    const schema = operation.input;
    if (!schema) return next;
    let check: Check | undefined;
    return (input, context) => {
      if (check) {
        check(input);
        return next(input, context);
      }
      compilers ??= loadCompilers();
      return Promise.all([compilers, operation.wholeInput?.()]).then(([loaded, whole]) => {
        check ??= createCheck(operation.name, { shown: schema, whole }, loaded);
        check(input);
        return next(input, context);
      });
    };
  };
}

/** @throws ToolError `invalid_arguments` with everything that is wrong */
type Check = (input: Input) => void;

interface Schemas {
  /** What callers see. */
  readonly shown: JsonSchema;
  /** What their input is held to in its place. */
  readonly whole: JsonSchema | undefined;
}

function createCheck(name: string, { shown, whole }: Schemas, compilers: Compilers): Check {
  const validator = new InputValidator(name, whole ?? shown, compilers);
  let described: InputValidator | undefined;
  return (input) => {
    let message = validator.complaint(input);
    if (message === undefined) return;
    if (whole !== undefined) {
      described ??= new InputValidator(name, shown, compilers);
      message = withDescriptions(message, described.complaint(input) ?? '');
    }
    throw new ToolError('invalid_arguments', message, { retryable: false });
  };
}

/** What nobody sees has no descriptions: of what the schema refuses that is shown, that one says more. */
function withDescriptions(message: string, described: string): string {
  const lines = described.split('\n');
  const fuller = (line: string) => lines.find((other) => other.startsWith(`${line}: `)) ?? line;
  return message.split('\n').map(fuller).join('\n');
}

interface Compilers {
  readonly strict: SchemaCompiler;
  readonly thorough: SchemaCompiler;
}

async function loadCompilers(): Promise<Compilers> {
  const { createSchemaCompiler } = await import('./schema-compiler.ts');
  return {
    strict: createSchemaCompiler({ allErrors: false, encodings: true }),
    thorough: createSchemaCompiler({ allErrors: true, encodings: true }),
  };
}

/** Checks the input of one operation. */
class InputValidator {
  readonly #name: string;
  readonly #schema: JsonSchema;
  readonly #thorough: SchemaCompiler;
  readonly #validate: ValidateFunction;
  #findAll: ValidateFunction | undefined;

  constructor(name: string, schema: JsonSchema, { strict, thorough }: Compilers) {
    this.#name = name;
    this.#schema = schema;
    this.#thorough = thorough;
    this.#validate = strict.compile(schema);
  }

  /** Everything that is wrong, in words. */
  complaint(input: Input): string | undefined {
    try {
      if (this.#isValid(input)) return undefined;
      return explain(this.#name, this.#schema, ofChosen(this.#problems(input), this.#schema));
    } catch (error) {
      if (error instanceof TooMuchToCheck) return tooInvolved;
      if (error instanceof TooLongToMatch) return tooLong;
      if (error instanceof RangeError) return 'the arguments are nested too deeply';
      throw error;
    }
  }

  #isValid(input: Input): boolean {
    try {
      return checkWithin(mostWork, () => this.#validate(input));
    } catch (error) {
      const most = countValues(input) * workForValue;
      if (!(error instanceof TooMuchToCheck) || most <= mostWork) throw error;
      return checkWithin(most, () => this.#validate(input));
    }
  }

  #problems(input: Input): readonly ErrorObject[] {
    const first = this.#validate.errors ?? [];
    if (!hasAtMost(mostValues, input)) return first;
    this.#findAll ??= this.#thorough.compile(this.#schema);
    const findAll = this.#findAll;
    try {
      checkWithin(mostToExplain, () => findAll(input));
      return findAll.errors ?? [];
    } catch (error) {
      if (error instanceof TooMuchToCheck) return first;
      throw error;
    }
  }
}

function countValues(input: unknown): number {
  const queue: unknown[] = [input];
  // A list also visits what is added while it is walked.
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) queue.push(member);
  }
  return queue.length;
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
