import { operationMethods } from '../grammar/operation-methods.ts';

/** Something wrong with a text itself, before anybody asks what it means. */
export interface TextProblem {
  readonly code: 'SPEC002' | 'SPEC003';
  readonly severity: 'error' | 'warning';
  readonly offset: number;
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly help?: string;
  /** Where the other half of the problem stands. */
  readonly first?: { readonly offset: number; readonly message: string };
}

/** What a YAML or JSON text says, and where it says so. */
export interface ParsedText {
  /** Maps have no prototype; `undefined` when the text is beyond use. */
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Those beyond the most that are told of one text. */
  readonly untold?: readonly TextProblem[];
  /** Whether other readers take it alike, as long as there are no problems. */
  readonly isPlain?: boolean;
  /** Offset of the key (in a sequence: of the item) at `path`, or of its nearest ancestor. */
  offsetOf(path: readonly string[]): number;
}

/** Nesting that no description needs, and that would end in a stack overflow. */
export const maxDepth = 400;

/**
 * What is wrong with a key that stands twice in a map. The last one counts, as in most readers: where that is a
 * path of an API, the operations of the first one are lost, and named.
 *
 * @param path where the map stands
 * @param former the keys below the one that does not count
 */
export function twiceText(
  key: string,
  path: readonly (string | number)[],
  former: readonly string[],
): string {
  const found = `"${key}" is already a key of this map`;
  const lost = former
    .filter((each) => operationMethods.includes(each))
    .map((each) => each.toUpperCase());
  const isPath = path.length === 1 && (path[0] === 'paths' || path[0] === 'webhooks');
  return isPath && lost.length > 0
    ? `${found}; the last one counts, lost of the first: ${lost.join(', ')}`
    : found;
}
