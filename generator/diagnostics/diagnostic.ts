/** Where something stands: 1-based line and column of the key (in a sequence, of the item). */
export interface Location {
  /** Path relative to the folder that holds `specs/`, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Severity = 'error' | 'warning' | 'info';

/** One problem in one place. */
export interface Diagnostic extends Location {
  /** Stable code; every code has an entry in `diagnostic-codes.ts` and a page in the docs. */
  readonly code: string;
  readonly severity: Severity;
  /** JSON pointer (RFC 6901) of the offending node. */
  readonly pointer: string;
  /** What is wrong, in one line: what was expected and what came. */
  readonly message: string;
  /** What to do about it, in one line. */
  readonly help?: string;
  readonly related?: readonly (Location & { readonly message: string })[];
}
