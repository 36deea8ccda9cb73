/** Write a path as a JSON pointer (RFC 6901 section 3). */
export function formatPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const step of path) pointer += `/${escapeStep(step)}`;
  return pointer;
}

/** Escape one reference token of a JSON pointer (RFC 6901 section 3). */
export function escapeStep(step: string | number): string {
  const text = String(step);
  return text.includes('~') || text.includes('/')
    ? text.replaceAll('~', '~0').replaceAll('/', '~1')
    : text;
}

/** Split a JSON pointer into its unescaped reference tokens (RFC 6901 section 4). */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(pointer.startsWith('/') ? 1 : 0)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the steps of a JSON pointer (RFC 6901 section 4); inherited members do not count. */
export function lookUp(value: unknown, steps: readonly string[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) {
      return undefined;
    }
    // A list has a member "length", which is no item.
    if (Array.isArray(current) && !/^\d+$/.test(step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}
