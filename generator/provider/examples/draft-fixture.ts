import { isObject } from '#contract/json';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { CuratedPagination } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { schemaExample } from './schema-example.ts';

/** An exchange that a description documents, for a tool that nobody has tried yet. */
export interface DraftFixture {
  readonly source: 'documented';
  readonly note: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly request: { readonly method: string; readonly url: string };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

/** Make the fixture of a tool out of the examples and schemas of its operation. */
export function draftFixture(
  document: ApiDocument,
  operation: ApiOperation,
  context: {
    readonly server: string;
    readonly pagination: CuratedPagination | undefined;
    readonly isCredential: (parameter: Readonly<Record<string, unknown>>) => boolean;
    readonly response: DraftFixture['response'];
  },
): DraftFixture {
  const paging = new Set(Object.values(context.pagination?.request ?? {}));
  const needed = parametersOf(document, operation).filter(
    ({ required, name, node }) => required && !paging.has(name) && !context.isCredential(node),
  );
  const values = new Map(needed.map((parameter) => [parameter, example(document, parameter)]));
  return {
    source: 'documented',
    note: "Made from the examples and schemas of the vendor's description.",
    arguments: Object.fromEntries([...values].map(([{ name }, value]) => [name, value])),
    request: { method: operation.method, url: context.server + target(operation.path, values) },
    response: context.response,
  };
}

/** An argument that the operation's own description calls valid. */
function example(document: ApiDocument, { node, in: place }: ApiParameter): unknown {
  const { example: own, examples, schema } = node;
  const [named] = isObject(examples) ? Object.values(examples) : [];
  const given = own ?? (isObject(named) ? named['value'] : undefined);
  const value = given ?? schemaExample(document, schema);
  // An empty path part would make another path.
  return place === 'path' && value === '' ? 'example' : value;
}

function target(path: string, values: ReadonlyMap<ApiParameter, unknown>): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const [{ name, in: place }, value] of values) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    if (place !== 'query') continue;
    for (const member of Array.isArray(value) ? value : [value]) query.append(name, text(member));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
