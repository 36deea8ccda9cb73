import type { TableProblem } from '../lock/table-lock.ts';
import type { TableModel } from './tables.ts';

/** Names that a database of this server gives itself. */
const reserved = /^(?:schema_migration|audit_.*|sqlite_.*|pg_.*)$/;

/** Say which keys and indexes name columns that are not there, and which names are taken. */
export function unknownColumns(tables: readonly TableModel[]): TableProblem[] {
  return tables.flatMap(({ name, key, columns, indexes }) => {
    const known = columns.map((column) => column.name);
    const missing = (names: readonly string[], pointer: string) =>
      names.flatMap((column, at) => {
        if (known.includes(column)) return [];
        return [{ pointer: `${pointer}/${at}`, message: `${name} has no column ${column}` }];
      });
    return [
      ...(reserved.test(name)
        ? [{ pointer: `/${name}`, message: `the name ${name} is taken` }]
        : []),
      ...missing(key, `/${name}/key`),
      ...indexes.flatMap(({ step, pointer }) => missing(step.columns, pointer)),
    ];
  });
}
