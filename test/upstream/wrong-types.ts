/** Ways in which an answer is JSON and yet not what its vendor's description promises. */
export const wrongTypes: Readonly<Record<string, (value: unknown) => unknown>> = {
  'a string for each number, and a number for each string': (value) =>
    everywhere(value, (leaf) => {
      if (typeof leaf === 'number') return String(leaf);
      return typeof leaf === 'string' ? leaf.length : leaf;
    }),
  'a text for each truth': (value) =>
    everywhere(value, (leaf) => (typeof leaf === 'boolean' ? String(leaf) : leaf)),
  'null for all that is not a list or an object': (value) => everywhere(value, () => null),
  'an object for each value': (value) => everywhere(value, (leaf) => ({ value: leaf })),
  'an object for each list': (value) =>
    containers(value, (found) => (Array.isArray(found) ? { ...found } : found)),
  'a list for each object inside': (value) =>
    containers(value, (found, depth) =>
      depth > 0 && !Array.isArray(found) ? Object.values(found) : found,
    ),
  'a text for everything': () => 'no such thing',
  'a list of lists for everything': () => [[1], [{ id: [] }]],
  'members that every object inherits': (value) =>
    containers(value, (found) =>
      Array.isArray(found)
        ? found
        : { ...found, ...JSON.parse('{"__proto__":{"id":{}},"constructor":1,"toString":[]}') },
    ),
  'half of the members': (value) =>
    containers(value, (found, depth) =>
      depth === 0 || Array.isArray(found)
        ? found
        : Object.fromEntries(Object.entries(found).filter((_, index) => index % 2 === 0)),
    ),
};

/** Change what holds nothing else, wherever it stands. */
function everywhere(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => everywhere(member, change));
  if (typeof value !== 'object' || value === null) return change(value);
  const entries = Object.entries(value).map(([name, member]) => [name, everywhere(member, change)]);
  return Object.fromEntries(entries);
}

/** Change lists and objects, the inner ones first. */
function containers(
  value: unknown,
  change: (found: object, depth: number) => object,
  depth = 0,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map((member) => containers(member, change, depth + 1))
    : Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          containers(member, change, depth + 1),
        ]),
      );
  return change(inner, depth);
}
