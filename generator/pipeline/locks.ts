import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type DiagnosticCode, diagnosticCodes } from '../diagnostics/diagnostic-codes.ts';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import type { Part, Specs } from '../kinds/kind/kind.ts';
import { toolsOf } from '../kinds/tools.ts';
import { compareLocks, type ToolChange } from '../model/lock/lock-changes.ts';
import { lockTools, printLock, readLock } from '../model/lock/tool-lock.ts';
import type { Located } from '../model/texts/report.ts';
import { readJson } from '../read/text/json-file.ts';
import { toolPlaces } from './specs.ts';

/** Compare what all places publish with their lock files. */
export function planLocks(
  specs: Specs,
  accept: boolean,
): { files: EmittedFile[]; diagnostics: Diagnostic[] } {
  const planned = toolPlaces(specs).flatMap((part) =>
    part.model && part.file ? [planLock(part, part.file, { accept, specs })] : [],
  );
  return {
    files: planned.map(({ file }) => file),
    diagnostics: planned.flatMap(({ diagnostics }) => diagnostics),
  };
}

const codes = {
  removed: 'P030',
  renamed: 'P031',
  narrowed: 'P032',
  altered: 'P036',
  added: 'P033',
  widened: 'P034',
  reworded: 'P035',
} as const satisfies Record<ToolChange['kind'], DiagnosticCode>;

/**
 * Compare the tools of a folder with its `tools.lock.json`. Changes that break callers are errors
 * unless they are accepted; a missing lock is simply written.
 */
function planLock(
  part: Part<unknown>,
  toolsFile: Located,
  { accept, specs }: { readonly accept: boolean; readonly specs: Specs },
): { file: EmittedFile; diagnostics: readonly Diagnostic[] } {
  const { base, path: folder } = part.place;
  const path = `${folder}/tools.lock.json`;
  const tools = toolsOf(part, specs);
  const now = lockTools(tools);
  const file = { path, text: printLock(now) };
  if (!existsSync(join(base, path))) return { file, diagnostics: [] };
  const lockFile = readJson(join(base, path), base);
  const before = readLock(lockFile.value);
  if (before === undefined) {
    const at = { ...lockFile.locate(''), pointer: '' };
    const message = 'this is no lock file: it was not written by the generator';
    const help = 'remove it, or restore it from version control';
    return { file, diagnostics: [diagnose('P030', at, message, { help })] };
  }
  const diagnostics = compareLocks(before, now).map((change) => {
    const pointer = tools.find(({ definition }) => definition.name === change.tool)?.pointer;
    const place =
      pointer === undefined
        ? { ...lockFile.locate(`/tools/${change.tool}`), pointer: `/tools/${change.tool}` }
        : { ...toolsFile.locate(`${pointer}/name`), pointer: `${pointer}/name` };
    return lockDiagnostic(change, place, accept);
  });
  return { file, diagnostics };
}

function lockDiagnostic(
  change: ToolChange,
  place: Parameters<typeof diagnose>[1],
  accept: boolean,
): Diagnostic {
  const code = codes[change.kind];
  const breaks = diagnosticCodes[code].severity === 'error';
  return diagnose(code, place, messageOf(change), {
    ...(breaks && accept && { severity: 'info' as const }),
    ...(breaks && !accept && { help: 'if callers may break, run generate --accept' }),
  });
}

const mostDetails = 5;

function listed(details: readonly string[]): string {
  const rest = details.length - mostDetails;
  return details.slice(0, mostDetails).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function messageOf({ kind, tool, details }: ToolChange): string {
  switch (kind) {
    case 'added':
      return `${tool} is added`;
    case 'removed':
      return `${tool} was published and is gone`;
    case 'renamed':
      return `${tool} was published as ${details.join()}`;
    case 'altered':
      return `${tool} does something else than was published: ${listed(details)}`;
    case 'narrowed':
      return `${tool} takes less than was published: ${listed(details)}`;
    case 'widened':
      return `${tool} takes more than before: ${listed(details)}`;
    case 'reworded':
      return `${tool} is described in other words`;
  }
}
