import { isObject } from '#contract/json';
import {
  type ApiOperation,
  type ApiParameter,
  parametersOf,
  requestPath,
} from '../../model/schema/api-operations.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { argumentsExample } from './arguments-example.ts';
import { bodyContent } from './body-schema.ts';
import { schemaExample } from './schema-example.ts';

/** What an exchange says of itself that nobody has seen, nor written by hand. */
export const madeUp = "Made from the examples and schemas of the vendor's description.";

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

/** Make the fixture of a tool out of its own schema and the examples of its operation. */
export function draftFixture(
  document: ApiDocument,
  operation: ApiOperation,
  context: {
    readonly server: string;
    readonly tool: Pick<ToolModel, 'definition'>;
    readonly response: DraftFixture['response'];
    /** Whether a parameter is a credential: it stands in no file, not even as an example. */
    readonly isCredential: (parameter: Readonly<Record<string, unknown>>) => boolean;
  },
): DraftFixture {
  const { input } = context.tool.definition;
  const parameters = parametersOf(document, operation).filter(
    ({ required, in: place, node }) =>
      required && (place === 'path' || (place === 'query' && !context.isCredential(node))),
  );
  const values = new Map(parameters.map((parameter) => [parameter, example(document, parameter)]));
  const known = new Map([...values].map(([{ name }, value]) => [name, value]));
  return {
    source: 'documented',
    note: madeUp,
    arguments: argumentsExample(input, known, bodyExample(document, operation)),
    request: {
      method: operation.method,
      url: context.server + target(requestPath(operation), values),
    },
    response: context.response,
  };
}

/** The body that the operation's own description shows. */
function bodyExample(document: ApiDocument, operation: ApiOperation): unknown {
  const [media] = Object.values(bodyContent(document, operation));
  if (!isObject(media)) return undefined;
  const { example: own, examples } = media;
  const [named] = isObject(examples) ? Object.values(examples) : [];
  return own ?? (isObject(named) ? named['value'] : undefined);
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
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(text(value)));
    if (place !== 'query') continue;
    for (const member of Array.isArray(value) ? value : [value]) query.append(name, text(member));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function text(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
