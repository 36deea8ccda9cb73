import type { ColumnModel, TableModel, TablesModel } from '../../model/house/tables.ts';
import { pascalCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { interfaceText, type Property } from '../print/interface-text.ts';
import { literal } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

const common = { from: '#contract/house/store', types: ['CommonTables'] };

/** Print the rows of all tables: those of the engines here, those of surfaces in their modules. */
export function emitTables(models: readonly TablesModel[]): EmittedFile {
  const own = models.filter(({ surface }) => surface === '').flatMap(({ tables }) => tables);
  const surfaces = models.filter(({ surface }) => surface !== '');
  const names = surfaces.map(({ surface }) => tablesType(surface));
  return printSourceFile({
    path: 'generated/tables.ts',
    source: surfaces.length === 0 ? 'specs/tables.yaml' : 'specs',
    imports: [
      common,
      ...surfaces.map(({ surface }) => ({
        from: `./surfaces/${surface}/tables.ts`,
        types: [tablesType(surface)],
      })),
    ],
    statements: [
      ...own.map(rowType),
      tablesInterface('Tables', 'The rows of each table.', own, ['CommonTables', ...names]),
    ],
  });
}

/** Print the rows of the tables of one surface. */
export function emitSurfaceTables({ surface, tables }: TablesModel): EmittedFile {
  const docs = 'The rows of the tables of this surface.';
  return printSourceFile({
    path: `generated/surfaces/${surface}/tables.ts`,
    source: `specs/surfaces/${surface}/tables.yaml`,
    imports: [common],
    statements: [
      ...tables.map(rowType),
      tablesInterface(tablesType(surface), docs, tables, ['CommonTables']),
    ],
  });
}

/** Print what the store is brought through, and what tells the rows of each table apart. */
export function emitMigrations(models: readonly TablesModel[]): EmittedFile {
  const tables = models
    .flatMap((model) => model.tables)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return printSourceFile({
    path: 'generated/migrations.ts',
    source: 'specs',
    imports: [{ from: '#contract/house/migrations', types: ['StoredMigration'] }],
    statements: [
      constant({
        name: 'migrations',
        type: 'readonly StoredMigration[]',
        docs: ['The steps of each owner of tables, in their order.'],
        value: literal(models.flatMap((model) => model.migrations)),
      }),
      constant({
        name: 'tableKeys',
        type: 'Readonly<Record<string, readonly string[]>>',
        docs: ['Every table that holds data, with the columns that tell its rows apart.'],
        value: literal(Object.fromEntries(tables.map(({ name, key }) => [name, key]))),
      }),
    ],
  });
}

function tablesType(surface: string): string {
  return `${pascalCase(surface)}Tables`;
}

function tablesInterface(
  name: string,
  docs: string,
  tables: readonly TableModel[],
  extended: readonly string[],
): string {
  const properties = tables
    .map((table) => ({ name: table.name, type: table.rowType, readonly: true }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return interfaceText(`${name}${heritage(name, extended)}`, [docs], properties);
}

function rowType({ rowType: name, description, columns }: TableModel): string {
  return interfaceText(name, [`${description}.`], columns.map(property));
}

function property({ name, type, stored, description, values }: ColumnModel): Property {
  const told = [description, type === 'json' ? 'JSON' : undefined].filter((text) => text);
  const kept = values?.map(quoted).join(' | ') ?? types[stored.type];
  return {
    name,
    readonly: true,
    type: stored.nullable ? `${kept} | null` : kept,
    ...(told.length > 0 && { docs: [`${told.join('. ')}.`] }),
  };
}

const types = { text: 'string', integer: 'number', bytes: 'Uint8Array' } as const;

const lineWidth = 100;

/** What an interface extends; one to a line where they do not fit, as the formatter has them. */
function heritage(name: string, extended: readonly string[]): string {
  const inLine = ` extends ${extended.join(', ')}`;
  if (`export interface ${name}${inLine} {`.length <= lineWidth) return inLine;
  const [first, ...rest] = extended;
  return `\n  extends ${[first, ...rest.map((each) => `    ${each}`)].join(',\n')}`;
}
