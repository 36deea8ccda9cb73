/** One line of the table that the benchmark prints. */
export interface Row {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean | undefined;
  readonly detail: string;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, target, measured, met, detail }) =>
      `| ${what} | ${target} | ${measured}${met === false ? ' (missed)' : ''} | ${detail} |`,
  );
  return ['| What | Target | Measured | Detail |', '|---|---|---|---|', ...lines].join('\n');
}
