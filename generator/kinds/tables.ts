import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { checkIdentifiers } from '../model/house/identifier-rules.ts';
import { unknownColumns } from '../model/house/table-rules.ts';
import { planTables, type TablesFile, type TablesModel } from '../model/house/tables.ts';
import { nextMigrations, printTableLock, readTableLock } from '../model/lock/table-lock.ts';
import { readChecked } from '../read/text/checked-yaml.ts';
import { readJson } from '../read/text/json-file.ts';
import { type Kind, models, type Part, type Place, type Planned } from './kind/kind.ts';

/** Everything that the store keeps: row types, migrations, keys, grants. */
export const tables: Kind<TablesModel> = {
  name: 'tables',
  where: ['specs/tables.yaml', 'specs/surfaces/<id>/tables.yaml'],
  plan: planFile,
  check: repeatedTables,
  async print(model) {
    const { emitSurfaceTables } = await import('../emit/house/tables.ts');
    const path = model.surface === '' ? 'specs' : `specs/surfaces/${model.surface}`;
    const lock = { path: `${path}/tables.lock.json`, text: printTableLock(model.migrations) };
    return model.surface === '' ? [lock] : [lock, emitSurfaceTables(model)];
  },
  async merge(parts) {
    const { emitMigrations, emitTables } = await import('../emit/house/tables.ts');
    return [emitTables(models(parts)), emitMigrations(models(parts))];
  },
  async docs(parts) {
    const { emitTablesPage } = await import('../emit/docs/docs-tables.ts');
    return [emitTablesPage(models(parts))];
  },
};

function planFile(place: Place): Planned<TablesModel> {
  const { base, path, id } = place;
  const { file, content, diagnostics } = readChecked<TablesFile>(join(base, path), base, 'tables');
  if (content === undefined) return { diagnostics };
  const all = planTables(content);
  const lock = join(base, path.replace(/\.yaml$/, '.lock.json'));
  const released = existsSync(lock) ? readTableLock(readJson(lock, base).value) : [];
  if (released === undefined) {
    const at = { ...readJson(lock, base).locate(''), pointer: '' };
    const message = 'this is no lock file: it was not written by the generator';
    const help = 'restore it from version control';
    return { file, diagnostics: [...diagnostics, diagnose('TABLE002', at, message, { help })] };
  }
  const { migrations, problems } = nextMigrations(id === '' ? 'house' : id, all, released);
  const found = [
    ...unknownColumns(all).map((problem) => ({ ...problem, code: 'TABLE003' as const })),
    ...problems.map((problem) => ({ ...problem, code: 'TABLE001' as const })),
  ].map(({ code, pointer, message }) =>
    diagnose(code, { ...file.locate(pointer), pointer }, message),
  );
  const named = all.map(({ name, rowType: identifier }) => ({
    name,
    identifier,
    pointer: `/${name}`,
  }));
  const model = { surface: id, tables: all, migrations };
  return {
    model,
    file,
    diagnostics: [...diagnostics, ...found, ...checkIdentifiers(named, file)],
  };
}

/** All tables lie in one database. */
function repeatedTables(parts: readonly Part<TablesModel>[]): readonly Diagnostic[] {
  const owners = new Map<string, string>();
  return parts.flatMap(({ model, file, place }) =>
    (model?.tables ?? []).flatMap(({ name }) => {
      const owner = owners.get(name);
      owners.set(name, owner ?? place.path);
      if (owner === undefined || file === undefined) return [];
      const pointer = `/${name}`;
      const message = `the table ${name} stands in ${owner} too`;
      return [diagnose('TABLE004', { ...file.locate(pointer), pointer }, message)];
    }),
  );
}
