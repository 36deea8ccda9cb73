import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, type JsonSchema } from '#contract/json';
import { decodedSteps, fragmentSteps } from '#contract/schema/pointer-steps';
import { longDigits } from '#contract/schema/relaxed';
import type { SchemaCompiler } from '../../admission/steps/schema-compiler.ts';

/** What of a result is not as the output schema of its tool says. */
export interface Misfit {
  /** Each place with what was expected there, in terms of the schema and not of the vendor. */
  readonly places: readonly string[];
  /** The rest, with null in these places; nothing where no part of it can be shown. */
  readonly rest: object | undefined;
}

/** A result as far as it is as the schema says, and what of it is not. */
interface Held {
  readonly value: unknown;
  readonly misfit?: Misfit;
}

/** So many places are named: an operator mends one after the other. */
const mostPlaces = 10;

/** Whether every object satisfies a schema, so that nothing has to be checked. */
export function takesAnyObject(schema: JsonSchema): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) => keyword === 'type' && value === 'object',
  );
}

/** Holds the results of one tool to its output schema, which is compiled once. */
export class OutputCheck {
  readonly #validate: ValidateFunction;

  /** @param compiler one that finds every problem: each place of a result is mended at once */
  constructor(schema: JsonSchema, compiler: SchemaCompiler) {
    this.#validate = compiler.compile(schema);
  }

  /** Hold a result to the schema. Digits are a number again where it wants one that loses nothing. */
  held(value: unknown): Held {
    if (this.#fits(value)) return { value };
    const found = this.#validate.errors ?? [];
    const wanted = found.filter((error) => isWritten(error));
    if (wanted.length === 0) return { value, misfit: this.#misfit(value, found) };
    const numbers = withMembers(structuredClone(value), wanted, ({ data }) => Number(data));
    if (this.#fits(numbers)) return { value: numbers };
    return { value: numbers, misfit: this.#misfit(numbers, this.#validate.errors ?? []) };
  }

  #misfit(value: unknown, errors: readonly ErrorObject[]): Misfit {
    const places = [...new Set(errors.map(placeOf))].slice(0, mostPlaces);
    const rest = withMembers(structuredClone(value), errors, () => null);
    if (isObject(rest) && this.#fits(rest)) return { places, rest };
    return { places, rest: this.#fits({}) ? {} : undefined };
  }

  #fits(value: unknown): boolean {
    try {
      return this.#validate(value);
    } catch (error) {
      // A recursive schema follows the value as deep as a vendor nests it.
      if (error instanceof RangeError) return false;
      throw error;
    }
  }
}

/** `items[].id is no integer`: the path of the schema's own names, whatever the vendor sent. */
function placeOf({ schemaPath, keyword, params, schema, parentSchema }: ErrorObject): string {
  const place = schemaPlace(fragmentSteps(schemaPath.slice(1)).slice(0, -1));
  const isOtherText = keyword === 'pattern' && schema === longDigits;
  const types: unknown = isOtherText ? parentSchema?.['type'] : params['type'];
  // A text of digits is a whole number, too.
  const untold = new Set(['null', parentSchema?.['pattern'] === longDigits && 'string']);
  const named = Array.isArray(types) ? types.filter((type) => !untold.has(type)) : [types];
  const isOfType = keyword === 'type' || isOtherText;
  const what = isOfType ? `no ${named.join(' or ')}` : `against its rule "${keyword}"`;
  return `${place === '' ? 'the result' : place} is ${what}`;
}

function schemaPlace(steps: readonly string[]): string {
  let place = '';
  for (let index = 0; index < steps.length; index++) {
    const keyword = steps[index];
    if (keyword === 'items') place += '[]';
    if (keyword === 'additionalProperties') place += '.*';
    if (keyword !== 'properties' && keyword !== '$defs') continue;
    index += 1;
    place += `${place === '' ? '' : '.'}${steps[index]}`;
  }
  return place;
}

/** Whether digits stand where a number is wanted (exact-json.ts) that is written with the same digits. */
function isWritten({ keyword, params, data }: ErrorObject): boolean {
  if (keyword !== 'type' || typeof data !== 'string' || data.length < 16) return false;
  const types: readonly unknown[] = [params['type']].flat();
  const isNumber = types.includes('number') || types.includes('integer');
  return isNumber && String(Number(data)) === data && Number.isInteger(Number(data));
}

/** Put something else into the places of these errors. */
function withMembers(
  value: unknown,
  errors: readonly ErrorObject[],
  change: (error: ErrorObject) => unknown,
): unknown {
  for (const error of errors) {
    const steps = decodedSteps(error.instancePath);
    const last = steps.pop();
    if (last === undefined) return {};
    const parent = steps.reduce<unknown>(memberOf, value);
    if (isContainer(parent) && Object.hasOwn(parent, last)) parent[last] = change(error);
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  return isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Lists too: a number as text is the name of an item. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return isObject(value) || Array.isArray(value);
}
