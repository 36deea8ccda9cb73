import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { smallWords } from '../../model/texts/names.ts';

/** What tells operations of one name from each other in their ids: `search`, `search-1`, `search_2`. */
const counted = /(?<=[A-Za-z])[-._]\d{1,2}$/;

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
  const own = paths.map((path) =>
    path.filter((part) => !paths.every((each) => each.includes(part))),
  );
  const different = [...new Map(own.map((parts) => [parts.join('/'), parts])).values()];
  const ways = own.map((parts, at) => {
    const alone = parts.filter(
      (part) => different.filter((each) => each.includes(part)).length === 1,
    );
    const best = alone.find((part) => !part.includes('{')) ?? alone[0];
    return (best === undefined ? parts : [best])
      .filter((part) => !smallWords(part).every((word) => said.has(word)) || part.includes('{'))
      .flatMap((part) => partWords(part, part === paths[at]?.[0]));
  });
  return ways.map((way, at) => {
    const first = group[ways.findIndex((each) => each.join('/') === way.join('/'))];
    const { method = '' } = group[at] ?? {};
    return first?.method === method ? way : [...way, 'by', method.toLowerCase()];
  });
}

/** `/{index}/things` is about what is in the index, `/things/{id}` about the one that has the id. */
function partWords(part: string, isFirst: boolean): readonly string[] {
  const keys = Array.from(part.matchAll(/\{([^{}]*)\}/g), ([, key = '']) => key);
  return keys.length === 0 ? [part] : keys.flatMap((key) => [isFirst ? 'in' : 'by', key]);
}
