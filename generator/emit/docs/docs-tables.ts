import type { TableModel, TablesModel } from '../../model/house/tables.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, plain, printed } from '../print/printed.ts';
import { code, maybeProse, page, sentence } from './markdown.ts';

/** The page of everything that the store keeps, with what a role of PostgreSQL has to be granted. */
export function emitTablesPage(models: readonly TablesModel[]): EmittedFile {
  const tables = models
    .flatMap(({ tables: own }) => own)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = tables.map(({ name }) => plain(name));
  return page('tables.md', 'specs', 'tables', {
    names: joined(names, ', '),
    tables: tables.map(tableData),
  });
}

function tableData({ name, description, key, columns }: TableModel) {
  return {
    name: code(name),
    description: sentence(description),
    key: joined(key.map(code), ', '),
    columns: columns.map((column) => ({
      name: code(column.name),
      type: column.stored.nullable ? printed`${plain(column.type)}, or null` : plain(column.type),
      meaning: maybeProse(column.description) ?? printed``,
    })),
  };
}
