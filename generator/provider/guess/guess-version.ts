import type { ApiOperation, ApiParameter } from '../../model/schema/api-operations.ts';
import { parametersOf } from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';

/** What vendors call the version of their API in a request. */
const ofApi = /^(?:x[-_])?api[-_]?version$/i;
const plain = /^version$/i;

/** What may be a version, and no word such as "latest". */
const version = /^v?\d[\w.-]{0,39}$/i;

/** How the text of a parameter names its only value: "should be set to '7.1'". */
const said = /\bset to ["'`](v?\d[\w.-]{0,39})["'`]/i;

/**
 * The parameters of an address in which each request names the version of the API, with the one
 * that the description is about: no caller has to know it.
 */
export function guessVersion(
  document: ApiDocument,
  operation: ApiOperation,
): Readonly<Record<string, string>> {
  const found = parametersOf(document, operation).flatMap((parameter): [string, string][] => {
    const { in: place, name, required } = parameter;
    const isAsked = place === 'path' ? isFirst(operation, name) : place === 'query' && required;
    const value = isAsked ? versionIn(document, parameter) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

/** Whether nothing but fixed parts stands before a parameter: it is no version of a thing. */
function isFirst({ path }: ApiOperation, name: string): boolean {
  const at = path.indexOf(`/{${name}}`);
  return at >= 0 && !path.slice(0, at).includes('{');
}

/**
 * The version that a parameter can only mean: its single or usual value, the one that its text names,
 * and of a parameter that speaks of the API that of the whole description, as AutoRest has it.
 */
export function versionIn(document: ApiDocument, parameter: ApiParameter): string | undefined {
  const { name, node, in: place } = parameter;
  const isOfApi = ofApi.test(name);
  if (!isOfApi && !(plain.test(name) && place === 'path')) return undefined;
  const schema = mergedSchema(document, node['schema']);
  const { const: one, enum: listed, default: usual, type = 'string' } = schema;
  if (![type].flat().includes('string')) return undefined;
  const choices = Array.isArray(listed) ? listed : [];
  const only = choices.length === 1 ? choices[0] : undefined;
  const told = said.exec(String(node['description'] ?? ''))?.[1];
  const whole = isOfApi && place !== 'path' ? document.root.info['version'] : undefined;
  const isAllowed = (value: unknown) => choices.length === 0 || choices.includes(value);
  const isFitting = (value: unknown): value is string =>
    typeof value === 'string' && version.test(value) && isAllowed(value);
  return [one, only, usual, told, whole].find(isFitting);
}
