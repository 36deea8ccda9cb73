import type { Figures } from './tally.ts';

type Column = Exclude<keyof Figures, 'problems'>;

const widths: Readonly<Record<Column, number>> = {
  engine: 10,
  kind: 19,
  kills: 6,
  before: 7,
  within: 7,
  after: 6,
  acknowledged: 13,
  written: 8,
  lost: 5,
  doubled: 8,
  verified: 9,
  restarts: 9,
};

const columns = Object.keys(widths) as readonly Column[];

/** The names of the figures. */
export const tableHead = row((column) => column);

/** One line for one kind of kill. */
export function tableRow(figures: Figures): string {
  return row((column) => String(figures[column]));
}

/** All kinds of one part together. */
export function tableSum(all: readonly Figures[]): string {
  const engines = [...new Set(all.map(({ engine }) => engine))];
  return row((column) => {
    if (column === 'engine') return engines.length === 1 ? (engines[0] ?? '') : '';
    if (column === 'kind') return 'all';
    return String(all.reduce((sum, figures) => sum + figures[column], 0));
  });
}

function row(text: (column: Column) => string): string {
  const cells = columns.map((column) =>
    column === 'engine' || column === 'kind'
      ? text(column).padEnd(widths[column])
      : text(column).padStart(widths[column]),
  );
  return cells.join(' ');
}
