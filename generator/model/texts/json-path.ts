import type { JsonPath } from '#contract/json';

const step = /\.([^.[\]\s]+)|\[(-?\d+)\]|\[(\*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Read a singular JSONPath (RFC 9535 section 2.3.5.1), with `[*]` beside it, into steps. Names
 * after a dot may hold any character but dots, brackets and spaces: vendors love hyphens.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (!text.startsWith('$')) return undefined;
  const path: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, name, index, star, single, double] = match;
    if (index !== undefined) path.push(Number(index));
    else path.push(name ?? star ?? (single ?? double ?? '').replace(/\\(.)/g, '$1'));
  }
  return path;
}
