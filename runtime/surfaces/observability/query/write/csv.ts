/** A table in which every row has the same columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Write a field as RFC 4180 has it; a line end within a line of a log is `\n`, which costs one line less. */
export function csvField(text: string): string {
  const line = text.includes('\n') ? text.replaceAll('\n', '\\n') : text;
  return /[",\r]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

/** Write a table, its columns first. */
export function csvText({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => row.map(csvField).join(',')).join('\n');
}

/** A beginning that all rows of a column have is worth taking out from this length on. */
const leastPrefix = 8;

/**
 * Take out what all rows say: of columns in which they say the same, all of it; of others, how all
 * their values begin, which stands beside the table with a `*` behind it.
 */
export function hoist({ columns, rows }: Table): {
  readonly shared: Readonly<Record<string, string>>;
  readonly table: Table;
} {
  if (rows.length < 2) return { shared: {}, table: { columns, rows } };
  const beginnings = columns.map((_, index) => beginningOf(rows.map((row) => row[index] ?? '')));
  const kept = columns.flatMap((_, index) => (beginnings[index]?.isAll ? [] : [index]));
  const shared = columns.flatMap((name, index) => {
    const { text = '', isAll } = beginnings[index] ?? {};
    return text === '' ? [] : [[name, isAll ? text : `${text}*`] as const];
  });
  return {
    shared: Object.fromEntries(shared),
    table: {
      columns: kept.map((index) => columns[index] ?? ''),
      rows: rows.map((row) =>
        kept.map((index) => (row[index] ?? '').slice(beginnings[index]?.text.length)),
      ),
    },
  };
}

/** How all of these begin, up to the end of a word. */
function beginningOf(values: readonly string[]): {
  readonly text: string;
  readonly isAll: boolean;
} {
  const [first = ''] = values;
  let length = first.length;
  for (const value of values) {
    while (!value.startsWith(first.slice(0, length))) length -= 1;
    if (length === 0)
      return { text: '', isAll: first === '' && values.every((each) => each === '') };
  }
  if (values.every((value) => value.length === length)) return { text: first, isAll: true };
  const text = /^.*[^A-Za-z0-9]/s.exec(first.slice(0, length))?.[0] ?? '';
  return { text: text.length < leastPrefix ? '' : text, isAll: false };
}
