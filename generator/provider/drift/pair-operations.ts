import {
  type ApiOperation,
  type ApiOperations,
  apiOperations,
  routeOf,
} from '../../model/schema/api-operations.ts';
import type { CuratedOperation, CuratedServer, Curation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { type Described, unnamed } from './described.ts';
import { type Address, addressesIn, addressesOf, isAddress } from './server-changes.ts';

/** A curated operation, and what stands for it in the earlier and in the later description. */
export interface Pair {
  readonly curated: CuratedOperation;
  readonly tool: ToolModel;
  /** JSON pointer of its entry in the curation. */
  readonly entry: string;
  readonly server: CuratedServer;
  readonly was: ApiOperation;
  /** Absent where it is gone. */
  readonly now?: ApiOperation;
  /** What has become of its id, in words. */
  readonly renamed?: string;
}

/** Find the operation of each tool on both sides: by its id, its method and path, its address. */
export function pairOperations(
  { servers, operations }: Curation,
  tools: readonly ToolModel[],
  [kept, later]: readonly [Described, Described],
): readonly Pair[] {
  const before = apiOperations(kept.document);
  const finder = new Finder(later);
  return tools.flatMap((tool) => {
    const curated = operations.find(({ name }) => name === tool.definition.name);
    const was = curated && operationOf(curated, before);
    if (!curated || !was) return [];
    const server = servers.find(({ id }) => id === tool.request.server) ?? servers[0];
    const entry = tool.pointer;
    return [{ curated, tool, entry, server, was, ...finder.find(curated, was, server) }];
  });
}

/** The operation that a curation names. */
function operationOf({ from }: CuratedOperation, api: ApiOperations): ApiOperation | undefined {
  if (from.graphql) return api.byRoute.get(`POST ${from.graphql.path ?? '/graphql'}`);
  if (from.operationId !== undefined) return api.byId.get(from.operationId);
  return api.byRoute.get(`${from.method} ${from.path}`);
}

/** Finds what has become of operations. */
class Finder {
  readonly #api: ApiOperations;
  readonly #later: Described;
  readonly #byShape: ReadonlyMap<string, ApiOperation>;
  #addresses: readonly Addressed[] | undefined;

  constructor(later: Described) {
    this.#later = later;
    this.#api = apiOperations(later.document);
    // The first of those that differ in the names of their parameters alone.
    const shapes = this.#api.all.map((operation) => [shapeOf(operation), operation] as const);
    this.#byShape = new Map(shapes.toReversed());
  }

  find(curated: CuratedOperation, was: ApiOperation, server: CuratedServer): Partial<Pair> {
    const { operationId } = curated.from;
    const same = this.#api.byId.get(operationId ?? was.id ?? '');
    const here = this.#api.byRoute.get(routeOf(was)) ?? this.#byShape.get(shapeOf(was));
    // Frameworks count: an id may name another operation now, while this one is where it was.
    const isCounted = here !== undefined && same !== undefined && shapeOf(same) !== shapeOf(was);
    if (operationId !== undefined && same && !isCounted) return { now: same };
    const now = here ?? this.#atAddress(was, server) ?? same;
    if (!now) return {};
    if (operationId === undefined) return { now };
    const name = now.id === undefined ? 'has none' : `is ${now.id}`;
    const other = isCounted ? `; ${operationId} is ${routeOf(same)}` : '';
    return { now, renamed: `operationId ${operationId} ${name} now${other}` };
  }

  /** One whose requests go to the same address, whatever of it is said to be the server. */
  #atAddress(was: ApiOperation, { url }: CuratedServer): ApiOperation | undefined {
    const own = addressesOf([url], was.path);
    this.#addresses ??= this.#api.all.map((operation) => ({
      operation,
      addresses: addressesIn(this.#later, operation),
    }));
    return this.#addresses.find(
      ({ operation, addresses }) => operation.method === was.method && isAddress(own, addresses),
    )?.operation;
  }
}

interface Addressed {
  readonly operation: ApiOperation;
  readonly addresses: readonly Address[];
}

/** Method and path without the names of parameters. */
function shapeOf({ method, path }: ApiOperation): string {
  return `${method} ${unnamed(path)}`;
}
