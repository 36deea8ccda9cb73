import { isObject } from '#contract/json';
import {
  type ApiOperation,
  apiOperations,
  parametersOf,
  resolve,
} from '../../model/schema/api-operations.ts';
import { namesSecret } from '../../model/texts/secret-text.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** What of an answer the conditions of later requests take (RFC 9110, section 13.1). */
const conditions: Readonly<Record<string, string>> = {
  'if-match': 'etag',
  'if-none-match': 'etag',
  'if-unmodified-since': 'last-modified',
  'if-modified-since': 'last-modified',
};

/** What follows a request about is no value that an agent carries on. */
const tracing = /request-?id|correlation|trace|idempotency/i;

/** The headers of answers that requests of the same description demand. */
export interface AnswerHeaders {
  /** Names in lower case that answers of an operation have to show. */
  shownBy(operation: ApiOperation): readonly string[];
  /** The operation whose answer has the value of a header that another one demands. */
  sourceOf(operation: ApiOperation, header: string): Source | undefined;
}

/** An answer and the header in it, in lower case. */
interface Source {
  readonly operation: ApiOperation;
  readonly name: string;
}

/**
 * Find the headers of answers without which other requests cannot be made: those that a description
 * declares (OpenAPI 3.1, response object, headers) and demands, and the validators of what is read
 * and then changed at one path, declared or not.
 */
export function guessAnswerHeaders(document: ApiDocument): AnswerHeaders {
  const { all } = apiOperations(document);
  const demands = all.map((operation) => ({ operation, names: demandedBy(document, operation) }));
  const demanded = new Set(demands.flatMap(({ names }) => names));
  const carried = carriedOn(document, demands);
  const shown = new Map<ApiOperation, readonly string[]>();
  for (const operation of demanded.size > 0 ? all : []) {
    const declared = declaredBy(document, operation).filter((name) => carried.has(name));
    const atPath = demands.filter(({ operation: other }) => other.path === operation.path);
    const validators = Object.values(conditions);
    const read = ['GET', 'HEAD'].includes(operation.method)
      ? atPath.flatMap(({ names }) => names.filter((name) => validators.includes(name)))
      : [];
    const names = [...new Set([...declared, ...read])];
    if (names.length > 0) shown.set(operation, names);
  }
  return {
    shownBy: (operation) =>
      [...shown].find(([{ pointer }]) => pointer === operation.pointer)?.[1] ?? [],
    sourceOf(operation, header) {
      const name = conditions[header.toLowerCase()] ?? header.toLowerCase();
      const sources = [...shown].filter(([, names]) => names.includes(name));
      const near = sources.filter(([{ path }]) => path === operation.path);
      const reads = near.filter(([{ method }]) => method === 'GET');
      const [found] = [...reads, ...near, ...sources].flatMap(([source]) => source);
      return found && found.pointer !== operation.pointer ? { operation: found, name } : undefined;
    },
  };
}

/** An operation and the headers that it demands. */
interface Demand {
  readonly operation: ApiOperation;
  readonly names: readonly string[];
}

/**
 * The headers of requests that an answer gives which did not take them: what all answers give back
 * that was sent to them, such as the version of the API, comes from nowhere else.
 */
function carriedOn(document: ApiDocument, demands: readonly Demand[]): ReadonlySet<string> {
  const demanded = new Set(demands.flatMap(({ names }) => names));
  if (demanded.size === 0) return demanded;
  const given = demands.flatMap(({ operation, names }) =>
    declaredBy(document, operation).filter((name) => !names.includes(name)),
  );
  return new Set(given.filter((name) => demanded.has(name)));
}

function demandedBy(document: ApiDocument, operation: ApiOperation): readonly string[] {
  return parametersOf(document, operation).flatMap(({ in: place, name, required }) => {
    if (place !== 'header' || !required || tracing.test(name) || namesSecret(name)) return [];
    return conditions[name.toLowerCase()] ?? name.toLowerCase();
  });
}

/** The headers of successful answers, in lower case. */
function declaredBy(document: ApiDocument, { node, pointer }: ApiOperation): readonly string[] {
  const responses = isObject(node['responses']) ? node['responses'] : {};
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!/^2/.test(status) || !isObject(response)) return [];
    const { headers } = resolve(document, { node: response, pointer }).node;
    return isObject(headers) ? Object.keys(headers).map((name) => name.toLowerCase()) : [];
  });
}
