import { isObject, valueAt } from '#contract/json';
import type { ResponseShape } from '#contract/tool';

/** Changes one item of a list, or a result that is no list. */
export type ItemShape = (item: unknown) => unknown;

/**
 * Build the change that `map`, `pick` and `drop` describe. Mapped fields replace the item; beside
 * `pick` or `drop` they are added to what these leave.
 */
export function createItemShape({ map, pick, drop }: ResponseShape): ItemShape | undefined {
  if (map === undefined && pick === undefined && drop === undefined) return undefined;
  const mapped = Object.entries(map ?? {});
  const kept = pick === undefined ? undefined : new Set(pick);
  const dropped = new Set(drop);
  const onlyMapped = map !== undefined && pick === undefined && drop === undefined;
  return (item) => {
    if (!isObject(item)) return item;
    const shaped: Record<string, unknown> = {};
    if (!onlyMapped) {
      for (const name of Object.keys(item)) {
        // To assign it would give the result a prototype that the vendor has made.
        if (name === '__proto__') continue;
        if (!dropped.has(name) && (kept === undefined || kept.has(name))) shaped[name] = item[name];
      }
    }
    for (const [name, path] of mapped) {
      const value = valueAt(item, path);
      if (value !== undefined) shaped[name] = value;
    }
    return shaped;
  };
}

/**
 * Turn an object of parallel arrays into an array of rows, at most so many: `{a: [1, 2]}` into
 * `[{a: 1}, {a: 2}]`.
 */
export function toRows(columns: unknown, most: number): unknown {
  if (!isObject(columns)) return columns;
  const arrays = Object.entries(columns).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  if (arrays.length === 0) return columns;
  const longest = arrays.reduce((length, [, cells]) => Math.max(length, cells.length), 0);
  const length = Math.min(longest, most);
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(arrays.map(([name, cells]) => [name, cells[index] ?? null])),
  );
}
