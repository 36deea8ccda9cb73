import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type DiagnosticCode, diagnosticCodes } from '../diagnostics/diagnostic-codes.ts';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import type { SurfaceTool } from '../model/house/surface-model.ts';
import { compareLocks, type ToolChange } from '../model/lock/lock-changes.ts';
import { type LockedDefinition, lockTools, printLock, readLock } from '../model/lock/tool-lock.ts';
import type { ToolModel } from '../model/shape/provider-model.ts';
import type { Located } from '../model/texts/report.ts';
import { readJson } from '../read/text/json-file.ts';
import type { PlannedSpecs } from './specs.ts';

/** The tools of one folder of the specs, and the file that lists them. */
interface LockedPart {
  readonly folder: string;
  readonly toolsFile: Located;
  readonly tools: readonly {
    readonly definition: LockedDefinition;
    readonly request: string;
    /** JSON pointer of its entry in `toolsFile`. */
    readonly pointer: string;
  }[];
}

/** Compare what all folders publish with their lock files. */
export function planLocks(
  { providers, surfaces }: PlannedSpecs,
  base: string,
  accept: boolean,
): { files: EmittedFile[]; diagnostics: Diagnostic[] } {
  // What could not be planned is not gone.
  const isSound = ({ diagnostics }: { diagnostics: readonly Diagnostic[] }) =>
    !diagnostics.some(({ severity }) => severity === 'error');
  const parts: LockedPart[] = [
    ...providers
      .filter(isSound)
      .flatMap(({ folder, model, toolsFile }) =>
        model && toolsFile ? [{ folder, toolsFile, tools: model.tools.map(vendorTool) }] : [],
      ),
    ...surfaces
      .filter(isSound)
      .flatMap(({ folder, model, toolsFile }) =>
        model && toolsFile ? [{ folder, toolsFile, tools: model.tools.map(surfaceTool) }] : [],
      ),
  ];
  const planned = parts.map((part) => planLock(part, base, accept));
  return {
    files: planned.map(({ file }) => file),
    diagnostics: planned.flatMap(({ diagnostics }) => diagnostics),
  };
}

function vendorTool({ definition, origin, request: { server }, pointer }: ToolModel) {
  const request = `${origin.method} ${origin.path}`;
  return { definition, request: server === undefined ? request : `${request} ${server}`, pointer };
}

function surfaceTool({ handler, pointer, ...definition }: SurfaceTool) {
  return { definition, request: handler, pointer };
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
  { folder, toolsFile, tools }: LockedPart,
  base: string,
  accept: boolean,
): { file: EmittedFile; diagnostics: readonly Diagnostic[] } {
  const path = `${folder}/tools.lock.json`;
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
