import { join } from 'node:path';
import { providerIds } from '../kinds/providers.ts';
import type { Curation } from '../model/shape/curation.ts';
import { readChecked } from '../read/text/checked-yaml.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A table of the providers: what each is called, how many tools it has, whether it can be used. */
export function listProviders(base: string, env: Environment): string {
  const rows = providerIds(base).map((id) => providerRow(base, id, env));
  return printTable([['ID', 'TITLE', 'STATUS', 'TOOLS', 'CREDENTIAL', 'SET'], ...rows]);
}

function providerRow(base: string, id: string, env: Environment): readonly string[] {
  const path = join(base, 'specs/providers', id, 'curation.yaml');
  const { content } = readChecked<Curation>(path, base, 'provider-curation');
  if (!content) return [id, '', 'broken', '', `see provider check ${id}`, ''];
  const names = content.auth.flatMap((auth) => auth.env ?? []);
  const isSet = names.some((name) => env[name] || env[`${name}_FILE`]);
  const isNeeded = content.auth.every(
    ({ type, required }) => type !== 'none' && required !== false,
  );
  return [
    id,
    content.title,
    content.status ?? 'beta',
    String(content.operations.length),
    names.length === 0 ? 'none' : `${names.join(' or ')}${isNeeded ? '' : ' (optional)'}`,
    names.length === 0 ? '' : yesOrNo(isSet),
  ];
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** Columns as wide as their widest cell. */
function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
