/** What the operator should look at, of a start that has failed. */
const warningsOf = new WeakMap<Error, readonly string[]>();

/** Keep warnings with the error that ends a start: they are told after it, not in front of it. */
export function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (error instanceof Error) warningsOf.set(error, warnings);
  return error;
}

/** The lines that follow the message of such an error. */
export function warningLines(error: unknown): readonly string[] {
  const warnings = error instanceof Error ? (warningsOf.get(error) ?? []) : [];
  return warnings.map((text) => `  (${text})`);
}
