import { isObject } from '#contract/json';
import type { Provider } from '#contract/provider';
import { isJsonSequence } from '#contract/text/json-sequence';
import { suggestion } from '../../diagnostics/suggestion.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import {
  type ApiOperation,
  type ApiOperations,
  listOf,
  requestPath,
  resolve,
  routeOf,
} from '../schema/api-operations.ts';
import { RecursiveShapeError } from '../schema/object-shape.ts';
import type { CuratedOperation } from '../shape/curation.ts';
import type { ToolOrigin } from '../shape/provider-model.ts';
import type { Report } from '../texts/report.ts';
import { arrayNode, eitherNode, type OutputNode, schemaNode } from './answer/output-node.ts';
import { promisedTypes } from './answer/promised-types.ts';
import { selectionNode } from './answer/selection-node.ts';
import { xmlExampleNode } from './answer/xml-example.ts';
import { GraphqlDocumentError, graphqlInputs } from './inputs/graphql-inputs.ts';
import { operationInputs } from './inputs/operation-inputs.ts';
import type { ToolInputs } from './inputs/tool-input.ts';
import { unsupportedFeatures } from './unsupported-features.ts';

/** The request that a tool makes, as far as the description says it. */
export interface RequestOrigin {
  readonly method: string;
  readonly path: string;
  readonly server: string | undefined;
  readonly shown: ToolOrigin;
  readonly inputs: ToolInputs;
  /** What the vendor answers, where that is JSON. */
  readonly answer: OutputNode | undefined;
  /** Whether a success may come without any of that (a 204, a 202). */
  readonly mayBeElse?: boolean;
  /** The media types of a success, where they are not JSON alone. */
  readonly types?: readonly string[] | undefined;
  /** What is known of it where it is XML. */
  readonly xmlAnswer?: OutputNode | undefined;
  /** What it answers to the requests that follow, one for each item. */
  readonly followed?: OutputNode | undefined;
}

interface Planning {
  readonly api: ApiOperations;
  readonly settings: Omit<Provider, 'tools'>;
  readonly report: Report;
}

/** Find what a curated operation asks for; reports and gives `undefined` where it cannot be had. */
export function findOrigin(
  curated: CuratedOperation,
  pointer: string,
  planning: Planning,
): RequestOrigin | undefined {
  const { from } = curated;
  if (from.arazzo !== undefined) {
    const message = 'workflows are no operations of a vendor: they stand in specs/workflows/';
    planning.report.curation('SPEC020', `${pointer}/from/arazzo`, message, { severity: 'error' });
    return undefined;
  }
  if (from.graphql !== undefined) return graphqlOrigin(curated, pointer, planning);
  const operation = findOperation(curated, pointer, planning);
  if (operation === undefined) return undefined;
  const { document } = planning.api;
  for (const { pointer: at, message, severity } of unsupportedFeatures(document, operation)) {
    planning.report.api('SPEC020', at, message, severity && { severity });
  }
  try {
    return {
      method: operation.method,
      path: requestPath(operation),
      server: findServer({ curated, pointer }, operation, planning),
      shown: {
        method: operation.method,
        path: requestPath(operation),
        reference: `${document.file}#${operation.pointer}`,
        ...(operation.id !== undefined && { operationId: operation.id }),
      },
      inputs: operationInputs(document, operation, curated.body),
      // What is read as a text is none of a list, whatever each line of it is.
      answer: curated.response?.decode === 'text' ? undefined : answerOf(planning.api, operation),
      mayBeElse: mayBeElse(planning.api, operation),
      types: promisedTypes(document, operation, curated.response?.decode),
      xmlAnswer: xmlExampleNode(document, operation),
      followed: followedAnswer(curated, planning.api),
    };
  } catch (error) {
    if (!(error instanceof RecursiveShapeError)) throw error;
    planning.report.api('P010', error.pointer, error.message, {
      help: `${curated.name} cannot flatten it; set body.flatten to false in the curation`,
    });
    return undefined;
  }
}

function findOperation(
  { from }: CuratedOperation,
  pointer: string,
  { api, report }: Planning,
): ApiOperation | undefined {
  const [, file = ''] = /([^/]*)$/.exec(api.document.file) ?? [];
  if (from.operationId !== undefined) {
    const found = api.byId.get(from.operationId);
    if (found === undefined) {
      const message = `operationId "${from.operationId}" is not in ${file}`;
      report.curation('P001', `${pointer}/from/operationId`, message, {
        help: takenIn(suggestion(from.operationId, [...api.byId.keys()]), file),
      });
    }
    return found;
  }
  const route = routeOf({ method: from.method ?? '', path: from.path ?? '' });
  const found = api.byRoute.get(route);
  if (found === undefined) {
    report.curation('P001', `${pointer}/from/path`, `${route} is not in ${file}`, {
      help: takenIn(suggestion(route, [...api.byRoute.keys()]), file),
    });
  } else if (found.id === undefined) {
    report.api('SPEC013', found.pointer, `${route} has no operationId`);
  }
  return found;
}

/** The file of a provider holds only what its tools need: what was just switched on is not in it yet. */
function takenIn(hint: string, file: string): string {
  return `${hint}; "provider add" takes into ${file} what else the vendor's description has`;
}

function graphqlOrigin(
  curated: CuratedOperation,
  pointer: string,
  planning: Planning,
): RequestOrigin | undefined {
  const { graphql } = curated.from;
  const { document, byRoute } = planning.api;
  if (graphql === undefined) return undefined;
  const path = graphql.path ?? '/graphql';
  try {
    const inputs = graphqlInputs(document, graphql, curated.body);
    const [method = '', name = ''] = inputs.graphql?.operation.split(' ') ?? [];
    const operation = byRoute.get(`POST ${path}`);
    return {
      method: 'POST',
      path,
      server: findServer({ curated, pointer }, operation, planning),
      shown: { method, path: name, reference: `${document.file}#${operation?.pointer ?? ''}` },
      inputs,
      answer: selectionNode(graphql.document, operation && answerOf(planning.api, operation)),
    };
  } catch (error) {
    if (!(error instanceof GraphqlDocumentError)) throw error;
    planning.report.curation('P020', `${pointer}/from/graphql/document`, error.message);
    return undefined;
  }
}

/** The server that the curation names, else the one whose address the description gives. */
function findServer(
  { curated, pointer }: { readonly curated: CuratedOperation; readonly pointer: string },
  operation: ApiOperation | undefined,
  { api, settings, report }: Planning,
): string | undefined {
  const { from } = curated;
  const [usual] = settings.servers;
  const ids = settings.servers.map(({ id }) => id);
  if (from.server !== undefined) {
    if (ids.includes(from.server)) return from.server === usual.id ? undefined : from.server;
    report.curation('P023', `${pointer}/from/server`, `there is no server "${from.server}"`, {
      help: suggestion(from.server, ids),
    });
    return undefined;
  }
  const places = operation === undefined ? [] : [operation.node, operation.pathItem.node];
  const [declared] = places.flatMap((node) => listOf(node['servers']));
  const address = resolve(api.document, { node: declared ?? {}, pointer: '' }).node['url'];
  const match = settings.servers.find(
    ({ url }) => typeof address === 'string' && url === address.replace(/(?<!\/)\/+$/, ''),
  );
  return match === undefined || match.id === usual.id ? undefined : match.id;
}

function followedAnswer(
  { response }: CuratedOperation,
  api: ApiOperations,
): OutputNode | undefined {
  const operation = response?.follow && api.byRoute.get(`GET ${response.follow.path}`);
  return operation && answerOf(api, operation);
}

/** What any answer of success says that is JSON (OpenAPI 3.1, responses object). */
function answerOf(api: ApiOperations, operation: ApiOperation): OutputNode | undefined {
  return eitherNode([...new Set(successesOf(api, operation).flatMap(({ nodes }) => nodes))]);
}

/** Statuses that never come with content, whatever is described (RFC 9110 sections 15.3.5 and 15.3.6). */
const bare = new Set(['204', '205']);

/** Whether one of its answers of success says nothing that is JSON. */
function mayBeElse(api: ApiOperations, operation: ApiOperation): boolean {
  return successesOf(api, operation).some(
    ({ status, nodes }) => nodes.length === 0 || bare.has(status),
  );
}

/** What is known of the JSON of each answer of success, by status. */
function successesOf({ document }: ApiOperations, { node }: ApiOperation) {
  const responses = isObject(node['responses']) ? node['responses'] : {};
  const statuses = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  return statuses.sort().map((status) => {
    const response = responses[status];
    const node = isObject(response) ? response : {};
    const { content } = resolve(document, { node, pointer: '' }).node;
    return { status, nodes: isObject(content) ? jsonNodes(document, content) : [] };
  });
}

function jsonNodes(document: ApiDocument, content: Record<string, unknown>): OutputNode[] {
  return Object.entries(content).flatMap(([type, media]) => {
    if (!isObject(media)) return [];
    if (isJsonSequence(type)) return linesNode(document, media) ?? [];
    const isJson = /[/+]json\b|^\*\/\*$/.test(type) && isObject(media['schema']);
    return isJson ? [schemaNode(document, media['schema'])] : [];
  });
}

/** One JSON text after the other: some describe the list, others a line. A text is the whole, of which nothing is told. */
function linesNode(
  document: ApiDocument,
  { schema, itemSchema }: Readonly<Record<string, unknown>>,
): OutputNode | undefined {
  if (isObject(itemSchema)) return arrayNode(schemaNode(document, itemSchema));
  const { types, ...told } = schemaNode(document, schema);
  if (types.size !== 1) return undefined;
  if (types.has('array')) return { types, ...told };
  return types.has('object') ? arrayNode({ types, ...told }) : undefined;
}
