import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { smallWords } from '../../model/texts/names.ts';

/** What tells operations of one name from each other in their ids: `search`, `search-1`, `search (2)`. */
const counted = /(?<=[A-Za-z])(?:[-._]\d{1,2}| \(\d{1,2}\))$/;

/** An id without the number that tells it from others of its name. */
export function uncounted(id: string): string {
  return id.replace(counted, '');
}

/** Of operations whose ids differ by a number alone, the words that their requests differ by, which may be none. */
export function apartWords(
  operations: readonly ApiOperation[],
): ReadonlyMap<ApiOperation, readonly string[]> {
  const named = operations.filter(({ id }) => id !== undefined);
  const groups = [...Map.groupBy(named, ({ id = '' }) => uncounted(id))];
  return new Map(
    groups.flatMap(([name, group]) => {
      if (group.length === 1) return [];
      const ways = waysApart(group, new Set(smallWords(name)));
      return group.map((operation, at) => [operation, ways[at] ?? []] as const);
    }),
  );
}

/**
 * What requests differ by, in words that stand behind a name: a part of their paths that others lack,
 * else all such parts, else their methods. The first of those at one address needs none.
 *
 * @param said words of the name, which need not be said again
 */
export function waysApart(
  group: readonly ApiOperation[],
  said: ReadonlySet<string> = new Set(),
): readonly (readonly string[])[] {
  const paths = group.map(({ path }) => path.split(/[/#]/).filter((part) => part !== ''));
  const holding = countsOf(paths);
  const own = paths.map((path) => path.filter((part) => holding.get(part) !== paths.length));
  const different = [...new Map(own.map((parts) => [parts.join('/'), parts])).values()];
  const sharing = countsOf(different);
  const ways = own.map((parts, at) => {
    const alone = parts.filter((part) => sharing.get(part) === 1);
    const best = alone.find((part) => !part.includes('{')) ?? alone[0];
    return (best === undefined ? parts : [best])
      .filter((part) => !smallWords(part).every((word) => said.has(word)) || part.includes('{'))
      .flatMap((part) => partWords(part, part === paths[at]?.[0]));
  });
  const firstOf = new Map(ways.map((way, at) => [way.join('/'), group[at]] as const).toReversed());
  return ways.map((way, at) => {
    const { method = '' } = group[at] ?? {};
    const isFirst = firstOf.get(way.join('/'))?.method === method;
    return isFirst ? way : [...way, 'by', method.toLowerCase()];
  });
}

/** How many of some paths hold each part. */
function countsOf(paths: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const part of new Set(path)) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
}

/** `/{index}/things` is about what is in the index, `/things/{id}` about the one that has the id. */
function partWords(part: string, isFirst: boolean): readonly string[] {
  const keys = Array.from(part.matchAll(/\{([^{}]*)\}/g), ([, key = '']) => key);
  return keys.length === 0 ? [part] : keys.flatMap((key) => [isFirst ? 'in' : 'by', key]);
}
