import { isObject } from '#contract/json';
import type { Grammar } from '../grammar/shape.ts';
import { shown } from './shape-mismatch.ts';
import { valueText } from './value-text.ts';
import type { Node } from './walk.ts';

export type Version = '2.0' | '3.0' | '3.1' | '3.2';

/** What a document says it is, or why it cannot be read as an API description. */
export type Recognised =
  | {
      readonly root: Node;
      readonly version: Version;
      /** What is wrong with the way in which it says so, though it is clear enough. */
      readonly doubt?: { readonly key: string; readonly message: string; readonly help: string };
    }
  | { readonly message: string; readonly help: string; readonly key?: string };

const help = 'supported are Swagger "2.0" and OpenAPI "3.0.x", "3.1.x" and "3.2.x"';

/** Other kinds of document that people mistake for OpenAPI, by a field that gives them away. */
const otherKinds: readonly { field: string; value?: RegExp; kind: string }[] = [
  { field: 'kind', value: /^discovery#/, kind: 'a Google Discovery document' },
  { field: 'discoveryVersion', kind: 'a Google Discovery document' },
  { field: 'openrpc', kind: 'an OpenRPC document' },
  { field: 'asyncapi', kind: 'an AsyncAPI document' },
  { field: 'arazzo', kind: 'an Arazzo document' },
  { field: 'overlay', kind: 'an OpenAPI Overlay' },
  { field: 'swaggerVersion', kind: 'a Swagger 1.x document' },
  { field: '__schema', kind: 'a GraphQL introspection result' },
  { field: 'item', kind: 'a Postman collection' },
  { field: 'log', kind: 'an HTTP archive (HAR)' },
  { field: 'paths', kind: 'an OpenAPI fragment without "openapi"' },
  { field: 'components', kind: 'an OpenAPI fragment without "openapi"' },
  { field: 'responses', kind: 'a fragment of an OpenAPI document (an operation)' },
  { field: '$schema', kind: 'a JSON Schema' },
  { field: '$defs', kind: 'a JSON Schema' },
  { field: 'properties', kind: 'a JSON Schema' },
  { field: 'type', kind: 'a JSON Schema' },
];

/** Find out which version of which format a document is written in. */
export function recognise(value: unknown): Recognised {
  if (!isObject(value))
    return { message: `the document must be a map, but it is ${shown(value)}`, help };
  const key = ['openapi', 'swagger'].find((each) => value[each] !== undefined);
  if (key === undefined)
    return { message: `this is ${kindOf(value)}, not an OpenAPI document`, help };
  const text = value[key];
  if (typeof text !== 'string' && typeof text !== 'number') {
    const message = `"${key}" must be a string, but it is ${shown(text)}`;
    return { key, message, help: 'put the version in quotes' };
  }
  const version = versionOf(key, valueText(text));
  if (version === undefined) {
    return { key, message: `version "${text}" of "${key}" is not supported`, help };
  }
  if (typeof text === 'number') {
    const message = `"${key}" must be a string, but it is ${shown(text)}`;
    const doubt = { key, message, help: `it is read as ${version}: put the version in quotes` };
    return { root: value, version, doubt };
  }
  const isWhole = key === 'swagger' ? text === '2.0' : /^\d+\.\d+\.\d/.test(text);
  if (isWhole) return { root: value, version };
  const message = `version "${text}" of "${key}" has not all of its parts`;
  return {
    root: value,
    version,
    doubt: { key, message, help: `it is read as ${version}; ${help}` },
  };
}

/** Without quotes 3.0 is the number 3, and 2.0 is 2. */
function versionOf(key: string, text: string): Version | undefined {
  if (key === 'swagger') return /^2(?:\.0(?:\.\d+)?)?$/.test(text) ? '2.0' : undefined;
  if (text === '3') return '3.0';
  const family = /^(3\.[012])(?:\.\d+(?:-.+)?)?$/.exec(text)?.[1];
  return family as Version | undefined;
}

function kindOf(value: Node): string {
  const found = otherKinds.find(({ field, value: pattern }) => {
    const text = value[field];
    return text !== undefined && (pattern === undefined || pattern.test(valueText(text)));
  });
  if (found !== undefined) return found.kind;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? 'an empty map' : `a map of ${keys.join(', ')}`;
}

/** Load the grammar of one version; nobody pays for the others. */
export async function loadGrammar(version: Version): Promise<Grammar> {
  switch (version) {
    case '2.0':
      return (await import('../grammar/swagger-20.ts')).swagger20;
    case '3.0':
      return (await import('../grammar/openapi-30.ts')).openapi30;
    case '3.1':
      return (await import('../grammar/openapi-31.ts')).openapi31;
    case '3.2':
      return (await import('../grammar/openapi-32.ts')).openapi32;
  }
}
