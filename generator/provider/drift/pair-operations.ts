import { type ApiOperation, ApiOperations, routeOf } from '../../model/schema/api-operations.ts';
import type { CuratedOperation, CuratedServer, Curation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { type Described, isSamePath } from './described.ts';
import { addressesIn, addressesOf, isAddress } from './server-changes.ts';

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
  const before = new ApiOperations(kept.document);
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

class Finder {
  readonly #api: ApiOperations;
  readonly #later: Described;

  constructor(later: Described) {
    this.#later = later;
    this.#api = new ApiOperations(later.document);
  }

  find(curated: CuratedOperation, was: ApiOperation, server: CuratedServer): Partial<Pair> {
    const { operationId } = curated.from;
    const same = this.#api.byId.get(operationId ?? was.id ?? '');
    if (operationId !== undefined && same) return { now: same };
    const now = this.#api.byRoute.get(routeOf(was)) ?? this.#atAddress(was, server) ?? same;
    if (!now) return {};
    if (operationId === undefined) return { now };
    const name = now.id === undefined ? 'has none' : `is ${now.id}`;
    return { now, renamed: `operationId ${operationId} ${name} now` };
  }

  /** One whose requests go to the same address, whatever of it is said to be the server. */
  #atAddress(was: ApiOperation, { url }: CuratedServer): ApiOperation | undefined {
    const own = addressesOf([url], was.path);
    return this.#api.all.find((operation) => {
      if (operation.method !== was.method) return false;
      if (isSamePath(operation.path, was.path)) return true;
      return isAddress(own, addressesIn(this.#later, operation));
    });
  }
}
