import type { Place } from '../../../model/schema/api-operations.ts';
import { among } from '../../../model/schema/listed-values.ts';
import { keywordHash } from '../../../model/schema/schema-hash.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import type { View } from './schema-view.ts';

/** Whether fewer values are allowed now, or others besides those that were. */
export interface FacetChange {
  readonly allows: 'less' | 'more' | 'other';
  readonly keyword: string;
  readonly text: string;
  readonly lost?: readonly unknown[];
}

/** What two schemas say otherwise of the value itself: its type, listed values, bounds, form. */
export function facetChanges(
  [before, was]: readonly [ApiDocument, View],
  [after, now]: readonly [ApiDocument, View],
): readonly FacetChange[] {
  return [
    ...typeChanges(was, now),
    ...valueChanges(was, now),
    ...boundChanges(was, now),
    ...formatChanges(was, now),
    ...otherLimits([before, was], [after, now]),
  ];
}

function typeChanges({ types: was }: View, { types: now }: View): FacetChange[] {
  const gone = lost(was, now);
  const added = lost(now, was);
  const keyword = 'type';
  const isOther = gone.length > 0 && gone.length === was?.size && now !== undefined;
  if (isOther) return [{ allows: 'other', keyword, text: `is ${list(now)}, not ${list(was)}` }];
  const [less, more] = [gone.filter((type) => type !== 'null'), added.filter(isNoNull)];
  return [
    ...(was === undefined && now !== undefined
      ? [change('less', keyword, `takes only ${list(now)} now`)]
      : []),
    ...(less.length > 0 ? [change('less', keyword, `no longer takes ${list(less)}`)] : []),
    ...(gone.includes('null') ? [change('less', 'null', 'may not be null now')] : []),
    ...(was !== undefined && now === undefined
      ? [change('more', keyword, `takes any type now, not ${list(was)} alone`)]
      : []),
    ...(more.length > 0 ? [change('more', keyword, `takes ${list(more)} too`)] : []),
    ...(added.includes('null') ? [change('more', 'null', 'may be null now')] : []),
  ];
}

function isNoNull(type: string): boolean {
  return type !== 'null';
}

function change(
  allows: FacetChange['allows'],
  keyword: string,
  text: string,
  lost?: readonly unknown[],
): FacetChange {
  return { allows, keyword, text, ...(lost && { lost }) };
}

function list(values: Iterable<unknown>): string {
  return [...values].map(String).join(', ');
}

/** The types that only the first has; integers are numbers. */
function lost(from: View['types'], to: View['types']): string[] {
  if (from === undefined || to === undefined) return [];
  return [...from].filter((type) => !to.has(type) && !(type === 'integer' && to.has('number')));
}

function valueChanges({ values: was }: View, { values: now }: View): FacetChange[] {
  const keyword = 'enum';
  if (was === undefined && now === undefined) return [];
  if (was === undefined) return [change('less', keyword, 'takes only listed values now', [])];
  if (now === undefined) return [change('more', keyword, 'takes any value now')];
  const gone = without(was, now);
  const added = without(now, was);
  return [
    ...(gone.length > 0 ? [change('less', keyword, `no longer takes ${shown(gone)}`, gone)] : []),
    ...(added.length > 0 ? [change('more', keyword, `takes ${shown(added)} too`)] : []),
  ];
}

/** Null is told of as a type. */
function without(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const isAmongOthers = among(others);
  return values.filter((value) => value !== null && !isAmongOthers(value));
}

const mostShown = 8;

function shown(values: readonly unknown[]): string {
  const rest = values.length > mostShown ? ` and ${values.length - mostShown} more` : '';
  return (
    values
      .slice(0, mostShown)
      .map((value) => JSON.stringify(value))
      .join(', ') + rest
  );
}

/** Keywords that allow less the larger they are, then those that allow less the smaller they are. */
const least = {
  minimum: '>=',
  exclusiveMinimum: '>',
  minLength: 'length>=',
  minItems: 'items>=',
  minProperties: 'members>=',
};
const most = {
  maximum: '<=',
  exclusiveMaximum: '<',
  maxLength: 'length<=',
  maxItems: 'items<=',
  maxProperties: 'members<=',
};

function boundChanges(was: View, now: View): FacetChange[] {
  return [...Object.entries(least), ...Object.entries(most)].flatMap(([keyword, sign]) => {
    const pick = Object.hasOwn(least, keyword) ? Math.max : Math.min;
    const [old, own] = [boundOf(was, keyword, pick), boundOf(now, keyword, pick)];
    if (old === own) return [];
    if (own === undefined) {
      return [change('more', keyword, `is no longer limited by ${sign}${old}`)];
    }
    if (old === undefined) return [change('less', keyword, `is limited by ${sign}${own} now`)];
    const text = `allows ${sign}${own}, not ${sign}${old}`;
    return [change(pick(old, own) === own ? 'less' : 'more', keyword, text)];
  });
}

/** Nothing is shorter than nothing: a bound of zero is none. */
function boundOf({ parts }: View, keyword: string, pick: typeof Math.max): number | undefined {
  const all = parts.flatMap(({ node }) => {
    const bound = node[keyword];
    return typeof bound === 'number' && !(bound === 0 && /^min[A-Z]/.test(keyword)) ? [bound] : [];
  });
  return all.length === 0 ? undefined : pick(...all);
}

/** Formats that limit no value: they are for forms and for languages with several kinds of number. */
const harmless = new Set(['float', 'double', 'password', 'textarea', 'markdown', 'html']);
const wider: Readonly<Record<string, string>> = { int32: 'int64', uint32: 'uint64', date: '' };
/** Of how many bits a whole number is, and whether it has a sign: who reads it reads each. */
const wholeFormat = /^u?int\d*$/;

function formatChanges(was: View, now: View): FacetChange[] {
  const [old, own] = [formatOf(was), formatOf(now)];
  const keyword = 'format';
  if (old === own) return [];
  if (own === undefined) return [change('more', keyword, `is no longer limited by format`)];
  if (old === undefined) return [change('less', keyword, `is limited by format ${own} now`)];
  const text = `has another format: ${own}, not ${old}`;
  if (wider[old] === own) return [change('more', keyword, text)];
  const isLess = wider[own] === old || (wholeFormat.test(old) && wholeFormat.test(own));
  return [change(isLess ? 'less' : 'other', keyword, text)];
}

function formatOf({ parts }: View): string | undefined {
  const formats = parts.flatMap(({ node }) => node['format'] ?? []).map(String);
  return formats.find((format) => !harmless.has(format));
}

/** Keywords whose changes nobody can weigh: any of them may take something away. */
const opaque = [
  ...['pattern', 'multipleOf', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['patternProperties', 'dependentRequired', 'dependentSchemas', 'uniqueItems'],
  ...['contentEncoding', 'minContains', 'maxContains'],
];

function otherLimits(
  [before, was]: readonly [ApiDocument, View],
  [after, now]: readonly [ApiDocument, View],
): FacetChange[] {
  return opaque.flatMap((keyword) => {
    const old = hashOf(before, was.parts, keyword);
    const own = hashOf(after, now.parts, keyword);
    if (old === own) return [];
    if (own === '') return [change('more', keyword, `is no longer limited by ${keyword}`)];
    if (old === '') return [change('less', keyword, `is limited by ${keyword} now`)];
    return [change('other', keyword, `has another ${keyword}`)];
  });
}

function hashOf({ root }: ApiDocument, parts: readonly Place[], keyword: string): string {
  const said = parts.filter(({ node }) => node[keyword] !== undefined && node[keyword] !== false);
  const hashes = said.map(({ node }) => keywordHash(keyword, node[keyword], root));
  return [...new Set(hashes)].toSorted().join(' ');
}
