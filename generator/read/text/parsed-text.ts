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
  /** Offset of the key (in a sequence: of the item) at `path`, or of its nearest ancestor. */
  offsetOf(path: readonly string[]): number;
}

/** Nesting that no description needs, and that would end in a stack overflow. */
export const maxDepth = 400;
