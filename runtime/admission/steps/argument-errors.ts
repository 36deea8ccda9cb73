import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type JsonSchema } from '#contract/json';
import { didYouMean, nearestNames } from '#contract/nearest-name';
import { localTarget } from '#contract/schema/local-reference';
import { decodedSteps } from '#contract/schema/pointer-steps';
import { isSecretName } from '#contract/secret-values';

const mostProblems = 10;
const longestValue = 80;
const mostListed = 100;
const mostNear = 10;

/** Say what is wrong with the arguments in words that a model can act on. */
export function explain(tool: string, schema: JsonSchema, errors: readonly ErrorObject[]): string {
  const problems = telling(errors, schema);
  const lines = new Set<string>();
  let described = 0;
  for (const problem of problems) {
    if (lines.size === mostProblems) break;
    lines.add(`- ${describe(problem, schema)}`);
    described += 1;
  }
  if (problems.length > described) lines.add(`- and ${problems.length - described} more`);
  return [`Invalid arguments for ${tool}:`, ...lines, knownArguments(schema)].join('\n');
}

/** Leaves out what only says that a part of a combination failed, where others say more. */
function telling(errors: readonly ErrorObject[], root: JsonSchema): readonly ErrorObject[] {
  const formats = errors.filter((error) => formatsOf(error).length > 0);
  const unions = errors.filter((error) => chosenAmong(error, root) !== undefined);
  const isTold = (error: ErrorObject) =>
    error.keyword === 'if' ||
    error.keyword === 'propertyNames' ||
    unions.some((union) => isListedIn(union, error)) ||
    formats.some((one) => error.schemaPath.startsWith(`${one.schemaPath}/`));
  const combined = errors.filter((error) => !isTold(error));
  return combined.length > 0 ? combined : errors;
}

/** Whether a member that is missing is named where it is said what the alternatives demand. */
function isListedIn({ instancePath, schema }: ErrorObject, error: ErrorObject): boolean {
  if (error.keyword !== 'required' || error.instancePath !== instancePath) return false;
  return Array.isArray(schema) && schema.includes(error.parentSchema);
}

/** The formats of which a text must have one, where the alternatives are nothing but formats. */
function formatsOf({ keyword, parentSchema }: ErrorObject): readonly string[] {
  const alternatives: unknown = keyword === 'anyOf' ? parentSchema?.['anyOf'] : undefined;
  if (!Array.isArray(alternatives)) return [];
  const formats = alternatives.flatMap((each) =>
    isObject(each) && Object.keys(each).length === 1 ? (each['format'] ?? []) : [],
  );
  return formats.length === alternatives.length ? formats.map(String) : [];
}

function describe(error: ErrorObject, root: JsonSchema): string {
  const { params, keyword, parentSchema, propertyName } = error;
  const place = clip(placeOf(error.instancePath));
  if (propertyName !== undefined) return wrongName(place, error, propertyName, root);
  switch (keyword) {
    case 'required':
      return missing(
        join(place, params['missingProperty']),
        params['missingProperty'],
        parentSchema,
      );
    case 'additionalProperties':
      return unknown(place, params['additionalProperty'], parentSchema);
    case 'unevaluatedProperties':
      return unknown(place, params['unevaluatedProperty'], parentSchema);
    default:
      if (place !== '' && forbidsAll(error)) {
        return `${place} must not be given here, but ${given(error)} was given`;
      }
      return `${place || 'the arguments'}: ${rule(error, root)}, but ${given(error)} was given${hint(error)}`;
  }
}

/** What is wrong with the name of a member: the name itself is what was checked. */
function wrongName(place: string, error: ErrorObject, name: string, root: JsonSchema): string {
  const member = join(place, clip(name));
  const isExcluded = error.keyword === 'not' && listsNames(error.schema);
  return isExcluded
    ? `${member} must not be given here`
    : `${member}: its name ${rule(error, root)}`;
}

function listsNames(schema: unknown): boolean {
  return isObject(schema) && Object.keys(schema).length === 1 && Array.isArray(schema['enum']);
}

/** Members that hold what gives access, beside those that are called so everywhere. */
const givesAccess = /(?:token|assertion|verifier|user_?code)s?$/i;

function isSecret(name: string): boolean {
  return givesAccess.test(name) || isSecretName(name);
}

/** What was given. Of what may be secret only the kind: callers write down what they are answered. */
function given({ instancePath, data }: ErrorObject): string {
  const names = instancePath.split('/').filter((step) => !/^\d*$/.test(step));
  return names.some(isSecret) ? kindOf(data) : show(data);
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

/** Whether the schema takes no value at all, as alternatives say of what belongs to the others. */
function forbidsAll({ keyword, schema }: ErrorObject): boolean {
  if (keyword === 'false schema') return true;
  return keyword === 'not' && isObject(schema) && Object.keys(schema).length === 0;
}

function rule(error: ErrorObject, root: JsonSchema): string {
  const { keyword, params, message, parentSchema } = error;
  const formats = formatsOf(error);
  if (formats.length > 0) return validFormat(formats);
  switch (keyword) {
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}`;
    case 'enum':
      return `must be one of ${listed(params['allowedValues'], error.data)}`;
    case 'const':
      return `must be ${show(params['allowedValue'])}`;
    case 'pattern':
      if (isLongNumber(parentSchema)) return `must be a whole number; ${asText}`;
      return `must match the regular expression ${params['pattern']}`;
    case 'format':
      return `${validFormat([params['format']])}${isLongNumber(parentSchema) ? `; ${asText}` : ''}`;
    case 'contentEncoding':
      return `must be ${error.schema}`;
    case 'multipleOf':
      return `must be a multiple of ${error.schema}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'not':
      return excluded(error.schema) ?? message ?? 'must not be so';
    case 'oneOf':
    case 'anyOf':
      return chosenAmong(error, root) ?? message ?? 'must fit an alternative';
    default:
      return message ?? `breaks the rule ${keyword}`;
  }
}

/** Formats that callers often write in another way, such as a time without its zone. */
const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'PT5M',
  uri: 'https://example.com/page',
};

function validFormat(formats: readonly unknown[]): string {
  const [example] = formats.flatMap((format) => formatExamples[String(format)] ?? []);
  const such = example === undefined ? '' : ` such as ${example}`;
  return `must be a valid ${formats.join(' or ')}${such}`;
}

/** All values that are allowed, or of very many those that are nearest to what was given. */
function listed(values: readonly unknown[], data: unknown): string {
  if (values.length <= mostListed) return values.map(show).join(', ');
  const texts = values.filter((value) => typeof value === 'string');
  const near = typeof data === 'string' ? nearestNames(data, texts, mostNear) : [];
  const some = near.length > 0 ? near : values.slice(0, mostNear);
  return `${values.length} values, such as ${some.map(show).join(', ')}`;
}

/** How a number reaches the vendor with all of its digits: the largest of 64 bits is rounded out of their range. */
const asText = 'one of 16 digits or more may also come as text';

/** Whether a text is taken in the place of a number that readers of JSON would round. */
function isLongNumber(schema: unknown): boolean {
  if (!isObject(schema) || !/^u?int64$/.test(String(schema['format']))) return false;
  const types: readonly unknown[] = [schema['type']].flat();
  return types.includes('integer') && types.includes('string');
}

/**
 * `must have a and b, or c`, where all alternatives demand members that are not there; the same with `and not
 * both`, where two of those fit of which one should.
 */
function chosenAmong({ schema, data, params }: ErrorObject, root: JsonSchema): string | undefined {
  const all: readonly unknown[] = Array.isArray(schema) ? schema : [];
  const fitting: unknown = params['passingSchemas'];
  const isSeveral = Array.isArray(fitting);
  const sets = (isSeveral ? fitting.map((at) => all[Number(at)]) : all).map(demandedBy);
  if (sets.some((names) => names.length === 0))
    return isSeveral ? fittingTwice(fitting.map(Number), all, root) : undefined;
  const told = clip([...new Set(sets.map((names) => names.join(' and ')))].join(', or '));
  if (isSeveral) return `must have ${told}, and not both`;
  const given = isObject(data) ? data : {};
  const isMissing = sets.every((names) => names.some((name) => !Object.hasOwn(given, name)));
  return isObject(data) && isMissing ? `must have ${told}` : undefined;
}

/**
 * `fits the alternatives "Other" and number 3 of 5, and must fit one alone: leave out a to mean number 3`. What
 * only one of them demands tells them apart.
 */
function fittingTwice(
  [one = 0, two = 0]: readonly number[],
  all: readonly unknown[],
  root: JsonSchema,
): string {
  const told = (at: number) => nameOf(all[at]) ?? `number ${at + 1}`;
  const demands = (at: number) => demandedBy(targetOf(all[at], root));
  const without = (at: number, other: number) => {
    const own = demands(at).filter((name) => !demands(other).includes(name));
    return own.length === 0 ? [] : [`leave out ${clip(own.join(' or '))} to mean ${told(other)}`];
  };
  const ways = [...without(one, two), ...without(two, one)].join(', or ');
  const advice = ways === '' ? '' : `: ${ways}`;
  return `fits the alternatives ${told(one)} and ${told(two)} of ${all.length}, and must fit one alone${advice}`;
}

function targetOf(schema: unknown, root: JsonSchema): unknown {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  return reference === undefined ? schema : localTarget(root, reference);
}

function nameOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const { title, $ref } = schema;
  const name =
    typeof title === 'string'
      ? title
      : String($ref ?? '')
          .split('/')
          .at(-1);
  return name ? JSON.stringify(clip(name)) : undefined;
}

function demandedBy(schema: unknown): readonly string[] {
  const required: unknown = isObject(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
}

/** `must not have a and b together`, where a rule forbids nothing but members that are given. */
function excluded(schema: unknown): string | undefined {
  const alternatives: unknown = isObject(schema) ? (schema['anyOf'] ?? [schema]) : [];
  if (!Array.isArray(alternatives)) return undefined;
  const sets = alternatives.map((each: unknown) => {
    const isPresence = isObject(each) && Object.keys(each).length === 1;
    return isPresence && Array.isArray(each['required']) ? each['required'] : [];
  });
  if (sets.length === 0 || sets.some((names) => names.length === 0)) return undefined;
  const told = sets.map((names) =>
    names.length > 1 ? `${names.join(' and ')} together` : names[0],
  );
  return `must not have ${clip(told.join(', or '))}`;
}

function hint({ keyword, params, data }: ErrorObject): string {
  if (keyword !== 'enum' || typeof data !== 'string') return '';
  const values = (params['allowedValues'] as unknown[]).filter(
    (value) => typeof value === 'string',
  );
  return didYouMean(data, values);
}

function missing(place: string, name: string, parent: JsonSchema | undefined): string {
  const { type, description } = propertyOf(parent, name);
  const kind = typeof type === 'string' ? ` (${type})` : '';
  const purpose = typeof description === 'string' ? `: ${description}` : '';
  return `${place}${kind} is required but missing${purpose}`;
}

function unknown(place: string, name: string, parent: JsonSchema | undefined): string {
  const known = Object.keys(propertiesOf(parent));
  return `${join(place, clip(name))} is not a known argument${didYouMean(name, known)}`;
}

function knownArguments(schema: JsonSchema): string {
  const names = Object.keys(propertiesOf(schema));
  if (names.length === 0) return 'It takes no arguments.';
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return `Its arguments: ${names.map((name) => (required.has(name) ? `${name} (required)` : name)).join(', ')}`;
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, unknown> {
  const properties = schema?.['properties'];
  return isObject(properties) ? properties : {};
}

function propertyOf(parent: JsonSchema | undefined, name: string): Record<string, unknown> {
  const properties = propertiesOf(parent);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(property) ? property : {};
}

/** `/filter/0/name` as people write it: `filter[0].name`. */
function placeOf(pointer: string): string {
  return decodedSteps(pointer).reduce(
    (place, step) => (/^\d+$/.test(step) ? `${place}[${step}]` : join(place, step)),
    '',
  );
}

function join(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

/** The JSON text of a value, of which no more is written than is shown. */
function show(value: unknown): string {
  let text = '';
  for (const token of tokensOf(value)) {
    text += token;
    if (text.length > longestValue) break;
  }
  return clip(text);
}

function* tokensOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, longestValue));
  else if (Array.isArray(value)) yield* arrayTokens(value);
  else if (isObject(value)) yield* objectTokens(value);
  // Read from JSON as infinite, as 1e400 is: no text of JSON shows it.
  else if (typeof value === 'number' && !Number.isFinite(value)) yield 'a number beyond 1.8e308';
  else yield JSON.stringify(value) ?? 'nothing';
}

function* arrayTokens(members: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [index, member] of members.entries()) {
    if (index > 0) yield ',';
    yield* tokensOf(member);
  }
  yield ']';
}

function* objectTokens(members: Readonly<Record<string, unknown>>): Generator<string> {
  yield '{';
  for (const [index, name] of Object.keys(members).entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(name.slice(0, longestValue))}:`;
    yield* isSecret(name) ? [`<${kindOf(members[name])}>`] : tokensOf(members[name]);
  }
  yield '}';
}

function clip(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}
