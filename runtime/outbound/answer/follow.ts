import { ToolError } from '#contract/errors';
import { path, type SafePath } from '#contract/path';
import type { ResponseShape } from '#contract/tool';
import type { CallProgress } from '../call/call-progress.ts';

/** Reads one item by its path. */
export type ReadItem = (path: SafePath) => Promise<unknown>;

interface FollowOptions {
  readonly follow: NonNullable<ResponseShape['follow']>;
  readonly read: ReadItem;
  /** Reads at the same time. */
  readonly workers: number;
  /** Hears of each item that has been read. */
  readonly progress?: CallProgress | undefined;
}

/**
 * Read the items that a list names by their ids, in its order. One that cannot be read is
 * `{ id, error }`; when none can, the first failure is the failure of all.
 */
export async function followItems(
  ids: readonly unknown[],
  { follow, read, workers, progress }: FollowOptions,
): Promise<readonly unknown[]> {
  const items: unknown[] = new Array(ids.length);
  const failures: ToolError[] = [];
  const queue = ids.entries();
  let done = 0;
  const work = async () => {
    for (const [index, id] of queue) {
      try {
        items[index] = (await read(itemPath(follow.path, id))) ?? { id, error: 'not_found' };
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        failures.push(error);
        items[index] = { id, error: error.code };
      }
      done += 1;
      progress?.read(done, ids.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, ids.length) }, work));
  const [first] = failures;
  if (first !== undefined && failures.length === ids.length) throw first;
  return items;
}

function itemPath(template: string, id: unknown): SafePath {
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new ToolError('upstream_error', 'the vendor’s list holds something else than ids');
  }
  const literals = template.split('{id}');
  return path(Object.assign(literals, { raw: literals }), ...literals.slice(1).map(() => id));
}
