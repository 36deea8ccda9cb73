import { ToolError } from '#contract/errors';
import { isObject, type JsonSchema } from '#contract/json';
import { isSecretName } from '#contract/secret-values';
import { writtenIn } from '#contract/text/json-digits';
import { formatOf } from './nested-digits.ts';
import { nodesAt } from './schema-places.ts';

type Place = readonly (string | number)[];

/** Every reader of JSON keeps so many digits of a number (IEEE 754, binary64). */
const keptDigits = 15;

/** Formats that say of themselves that their numbers are rounded. */
const roundedFormats = new Set(['float', 'double']);

/** What is called so is an id, of which the last digit counts: `id`, `user_ids`, `userId`. */
const idName = /(?:^|[^a-z])ids?$|I[dD]s?$/;

/** So many are told. */
const mostTold = 10;

/**
 * Refuse whole numbers beyond 2^53 that a reader of JSON may have rounded before they came here (RFC 8259,
 * section 6): with them, another object would be read or changed. What has no more digits than every reader
 * keeps is no such number, but for an id: 1e300 and 1700000000000000000 go on as they came. A number beyond
 * all readers, such as 1e400, was read as infinite, and would be sent as null. A fraction that this server
 * has rounded itself is refused, too.
 *
 * @throws ToolError `invalid_arguments` that names each place, and says where digits are taken as text
 */
export function requireKept(tool: string, input: JsonSchema, args: object): void {
  const told = roundedIn(args).flatMap((found) => complaint(input, found) ?? []);
  if (told.length === 0) return;
  const more = told.length > mostTold ? [`and ${told.length - mostTold} more`] : [];
  const lines = [...told.slice(0, mostTold), ...more].map((line) => `\n- ${line}`).join('');
  throw new ToolError('invalid_arguments', `Invalid arguments for ${tool}:${lines}`, {
    retryable: false,
  });
}

interface Found {
  readonly place: Place;
  readonly value: number;
  /** How a fraction was written that has been rounded here. */
  readonly source?: string;
}

/** Numbers that may have been lost, wherever they stand: hardly a call has one. */
function roundedIn(args: object): readonly Found[] {
  const found: Found[] = [];
  if (!hasLong(args)) return found;
  const queue: { readonly place: Place; readonly value: unknown }[] = [{ place: [], value: args }];
  for (const { place, value } of queue) {
    if (isLong(value)) found.push({ place, value });
    for (const [name, source] of fractionsIn(value)) {
      const step = Array.isArray(value) ? Number(name) : name;
      found.push({ place: [...place, step], value: Number(source), source });
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        queue.push({ place: [...place, index], value: item });
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value))
        queue.push({ place: [...place, name], value: member });
    }
  }
  return found;
}

/** Without places, which would cost every call more than the rest. */
function hasLong(args: object): boolean {
  const queue: object[] = [args];
  for (const parent of queue) {
    if (writtenIn(parent) !== undefined) return true;
    for (const value of Object.values(parent) as unknown[]) {
      if (isLong(value)) return true;
      if (typeof value === 'object' && value !== null) queue.push(value);
    }
  }
  return false;
}

function fractionsIn(value: unknown): Iterable<readonly [string, string]> {
  return typeof value === 'object' && value !== null ? (writtenIn(value) ?? []) : [];
}

/** A whole number beyond 2^53, or one beyond all numbers. */
function isLong(value: unknown): value is number {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false;
  return Number.isInteger(value) || !Number.isFinite(value);
}

function complaint(input: JsonSchema, { place, value, source }: Found): string | undefined {
  if (!Number.isFinite(value)) {
    const limit = 'must be a number that JSON readers can hold, below 1.8e308';
    return `${nameOf(place)}: ${limit}, but a larger one was given`;
  }
  const nodes = nodesAt(input, place);
  const takesText = nodes.some((node) => formatOf(node) !== undefined);
  const isRounded = nodes.some(({ format }) => roundedFormats.has(String(format)));
  const isSecret = place.some((step) => isSecretName(String(step)));
  if (source !== undefined) {
    if (isRounded) return undefined;
    const [given, left] = isSecret ? ['another one', 'rounded'] : [source.slice(0, 80), value];
    return `${nameOf(place)}: must be a number whose digits every reader of JSON keeps, but ${given} was given, which would arrive as ${left}`;
  }
  const isKept = isRounded || (digitsOf(value) <= keptDigits && !isId(place));
  if (isKept && !takesText) return undefined;
  const text = takesText ? ', or the digits of a longer one as text' : '';
  const shown = isSecret ? 'a longer one' : value;
  const limit = `must be a whole number of at most ${keptDigits} digits${text}`;
  return `${nameOf(place)}: ${limit}, but ${shown} was given, which may have been rounded on its way`;
}

/** Whether the nearest name, of a list that of its items, is one of an id. */
function isId(place: Place): boolean {
  return idName.test(String(place.findLast((step) => typeof step === 'string')));
}

/** How many digits of a number are not only zeros at its end. */
function digitsOf(value: number): number {
  const [mantissa = ''] = String(Math.abs(value)).split('e');
  return mantissa.replace('.', '').replace(/0+$/, '').length;
}

/** `filter.ids[1]`, as people write it. */
function nameOf(place: Place): string {
  return place.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step.slice(0, 80) : `${name}.${step.slice(0, 80)}`;
  }, '');
}
