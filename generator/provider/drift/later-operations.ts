import { parse } from 'yaml';
import { type ApiOperation, ApiOperations, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';

/** A curated operation that a later description knows under another id. */
export interface Moved {
  readonly was: CuratedOperation;
  readonly now: CuratedOperation;
  /** What has become of its id, in words. */
  readonly text: string;
}

/** The operations of a later description. */
export class LaterOperations {
  readonly #api: ApiOperations;

  constructor(document: ApiDocument) {
    this.#api = new ApiOperations(document);
  }

  /** The operation under its other id, where its tool's request is there still. */
  moved(was: CuratedOperation, tools: readonly ToolModel[]): Moved | undefined {
    const { operationId } = was.from;
    if (operationId === undefined || this.#api.byId.has(operationId)) return undefined;
    const tool = tools.find(({ definition }) => definition.name === was.name);
    const other = tool && this.#api.byRoute.get(routeOf(tool.origin));
    if (!other) return undefined;
    const { method, path, id } = other;
    const from = id === undefined ? { method, path } : { operationId: id };
    const name = id === undefined ? 'has none' : `is ${id}`;
    return { was, now: { ...was, from }, text: `operationId ${operationId} ${name} now` };
  }

  /** Those that a curation keeps, and those that its lists are followed to. */
  kept(operations: readonly CuratedOperation[]): readonly ApiOperation[] {
    const ids = new Set(operations.map(({ from }) => from.operationId));
    const routes = new Set(
      operations.flatMap(({ from, response }) => [
        `${from.method} ${from.path}`,
        `GET ${response?.follow?.path}`,
        ...(from.graphql === undefined ? [] : [`POST ${from.graphql.path ?? '/graphql'}`]),
      ]),
    );
    return this.#api.all.filter(
      (operation) =>
        (operation.id !== undefined && ids.has(operation.id)) || routes.has(routeOf(operation)),
    );
  }

  /**
   * The tools whose operations are deprecated (OpenAPI 3.1, operation object) and were not before.
   *
   * @param kept what the provider keeps of the earlier description
   */
  deprecated(
    operations: readonly CuratedOperation[],
    tools: readonly ToolModel[],
    kept: ApiDocument | undefined,
  ): readonly string[] {
    const before = kept && new ApiOperations(kept);
    const isDeprecated = (operation: ApiOperation | undefined) =>
      operation?.node['deprecated'] === true;
    return operations.flatMap(({ name, from, deprecated }) => {
      const tool = tools.find(({ definition }) => definition.name === name);
      if (!tool || deprecated) return [];
      const route = routeOf(tool.origin);
      const was = before?.byId.get(from.operationId ?? '') ?? before?.byRoute.get(route);
      return isDeprecated(this.#api.byRoute.get(route)) && !isDeprecated(was) ? [name] : [];
    });
  }

  /** Those that no line of a curation speaks of, where it lists what it leaves off. */
  unknown(curation: string, operations: readonly CuratedOperation[]): readonly string[] {
    const listed = [...curation.matchAll(/^ {2}# {3}from: (.+)$/gm)].map(([, from = '']) => from);
    if (listed.length === 0) return [];
    const known = [...listed.map((from) => parse(from)), ...operations.map(({ from }) => from)];
    const ids = new Set(known.map(({ operationId }) => operationId));
    const routes = new Set(known.map(({ method, path }) => `${method} ${path}`));
    const isKnown = (operation: ApiOperation) =>
      (operation.id !== undefined && ids.has(operation.id)) || routes.has(routeOf(operation));
    return this.#api.all
      .filter((operation) => !isKnown(operation))
      .map((operation) => operation.id ?? routeOf(operation));
  }
}
