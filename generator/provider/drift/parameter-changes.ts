import { isObject } from '#contract/json';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import type { CuratedUse } from './curated-use.ts';
import { isNoticed } from './curated-use.ts';
import { isSamePath } from './described.ts';
import type { Told } from './drift-change.ts';
import type { Finding } from './schema/finding.ts';
import type { SchemaComparison } from './schema/schema-changes.ts';
import { type Schema, viewOf } from './schema/schema-view.ts';
import { toldOf } from './told-finding.ts';

/** What parameters are compared with. */
export interface Comparing {
  readonly before: ApiDocument;
  readonly after: ApiDocument;
  readonly written: SchemaComparison;
  readonly use: CuratedUse;
  /** Tells what was left out of the earlier description, because the server adds it. */
  readonly isCredential: (parameter: Readonly<Record<string, unknown>>) => boolean;
}

/** Parameters of one operation that only one side has, for those that have moved elsewhere. */
export interface Unpaired {
  readonly gone: readonly ApiParameter[];
  readonly added: readonly ApiParameter[];
  readonly told: readonly Told[];
}

/** Compare the parameters that both sides have (OpenAPI 3.1, parameter object). */
export function parameterChanges(
  was: ApiOperation,
  now: ApiOperation,
  comparing: Comparing,
): Unpaired {
  const { before, after } = comparing;
  const old = given(before, was, comparing);
  const own = given(after, now, comparing);
  const renamed = renamedInPath(was.path, now.path);
  const told: Told[] = [];
  const gone: ApiParameter[] = [];
  const paired = new Set<ApiParameter>();
  for (const parameter of old.values()) {
    const isPath = parameter.in === 'path';
    const name = (isPath && renamed.get(parameter.name)) || parameter.name;
    const current = own.get(keyOf({ in: parameter.in, name }));
    if (!current) {
      gone.push(parameter);
      continue;
    }
    paired.add(current);
    told.push(...changesOf(parameter, current, comparing));
    if (current.name !== parameter.name && current.in === 'path')
      told.push(renaming(parameter, current));
  }
  return { gone, added: [...own.values()].filter((one) => !paired.has(one)), told };
}

function given(document: ApiDocument, operation: ApiOperation, { use, isCredential }: Comparing) {
  const all = parametersOf(document, operation).filter(
    ({ in: place, name, node }) => !use.isSentAnyway(place, name) && !isCredential(node),
  );
  return new Map(all.map((parameter) => [keyOf(parameter), parameter]));
}

/** Names of headers have no case (RFC 9110 section 5.1). */
function keyOf({ in: place, name }: Pick<ApiParameter, 'in' | 'name'>): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** Parameters of a path are known by where they stand: their names are not sent. */
function renamedInPath(was: string, now: string): Map<string, string> {
  if (!isSamePath(was, now)) return new Map();
  const names = (path: string) => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const after = names(now);
  return new Map(names(was).map((name, index) => [name, after[index] ?? name]));
}

function renaming({ name }: ApiParameter, current: ApiParameter): Told {
  const text = `${name} of the path is called ${current.name} now, which sends the same`;
  return { kind: 'altered', text, pointer: current.pointer, breaks: false };
}

function changesOf(was: ApiParameter, now: ApiParameter, comparing: Comparing): Told[] {
  const found = findingsOf(was, now, comparing);
  const told = noticed(found, was, now, comparing);
  // What is of another type is written otherwise, which goes without saying.
  const form = found.some(isOtherType) ? undefined : formChange(was, now, comparing);
  if (form === undefined || comparing.use.of(now.in, was.name, now.name).is === 'nothing')
    return told;
  return [...told, { kind: 'altered', text: form, pointer: now.pointer, breaks: true }];
}

/** What a parameter takes or has to be given that it did not before, and the other way round. */
function findingsOf(was: ApiParameter, now: ApiParameter, { written }: Comparing): Finding[] {
  const here = { steps: [], pointer: now.pointer };
  return [
    ...(now.required && !was.required
      ? [{ ...here, effect: 'narrowed', text: 'is required now' } as const]
      : []),
    ...(was.required && !now.required
      ? [{ ...here, effect: 'widened', text: 'may be left out now' } as const]
      : []),
    ...(now.node['deprecated'] === true && was.node['deprecated'] !== true
      ? [{ ...here, effect: 'deprecated', text: 'is deprecated now' } as const]
      : []),
    ...written.changes(schemaOf(was), schemaOf(now)),
  ];
}

function noticed(
  found: readonly Finding[],
  was: ApiParameter,
  now: ApiParameter,
  { use }: Comparing,
): Told[] {
  const own = use.of(was.in, was.name, now.name);
  return found.filter((one) => isNoticed(own, one)).map((one) => toldOf(one, [now.name]));
}

function isOtherType({ steps, text }: Finding): boolean {
  return steps.length === 0 && /^is .*, not /.test(text);
}

function schemaOf({ node, pointer }: ApiParameter): Schema {
  const { content } = node;
  const [type, media] = Object.entries(isObject(content) ? content : {})[0] ?? [];
  const [holder, at] =
    type === undefined ? [node, pointer] : [media, `${pointer}/content/${escapeStep(type)}`];
  const schema = isObject(holder) ? holder['schema'] : undefined;
  return isObject(schema) ? [{ node: schema, pointer: `${at}/schema` }] : [];
}

const usualStyles = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
  querystring: '',
};

/** How a value that is a list or an object is written (OpenAPI 3.1, style values). */
function formChange(
  was: ApiParameter,
  now: ApiParameter,
  comparing: Comparing,
): string | undefined {
  const formOf = ({ node, in: place }: ApiParameter, document: ApiDocument, schema: Schema) => {
    const [type] = Object.keys(isObject(node['content']) ? node['content'] : {});
    if (type !== undefined) return type;
    const style = String(node['style'] ?? usualStyles[place]);
    const isOne = isScalar(document, schema);
    if (isOne) return ['label', 'matrix'].includes(style) ? style : 'it is';
    return `${style}${(node['explode'] ?? style === 'form') ? ', each value by itself' : ''}`;
  };
  const before = formOf(was, comparing.before, schemaOf(was));
  const after = formOf(now, comparing.after, schemaOf(now));
  return before === after ? undefined : `${now.name} is written as ${after}, not as ${before}`;
}

function isScalar(document: ApiDocument, schema: Schema): boolean {
  const { types, choices } = viewOf(document, schema);
  if (types !== undefined) return !types.has('array') && !types.has('object');
  const told = choices.map((choice) => viewOf(document, choice).types);
  return told.length > 0 && told.every((one) => one && !one.has('array') && !one.has('object'));
}

/** A parameter that is in one place no longer, and in another now. */
export function movedParameter(
  was: ApiParameter,
  now: ApiParameter,
  comparing: Comparing,
): readonly Told[] {
  const text = `${was.name} is sent as ${now.in} ${now.name}, not as ${was.in} ${was.name}`;
  return [
    { kind: 'altered', text, pointer: now.pointer, breaks: true },
    ...noticed(findingsOf(was, now, comparing), was, now, comparing),
  ];
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
