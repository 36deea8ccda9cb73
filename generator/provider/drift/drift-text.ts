import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import {
  type DiagnosticFormat,
  formatDiagnostics,
  shownText,
} from '../../diagnostics/format-diagnostics.ts';
import type { DriftChange } from './drift-change.ts';
import type { DriftReport } from './find-drift.ts';

/** Print what a later description changes: for people, for programs, or as workflow annotations. */
export function driftText(report: DriftReport, format: DiagnosticFormat): string {
  const { provider, version, compared, changes, complete, diagnostics } = report;
  if (format === 'json') {
    const told = changes.map((change) => ({ ...change, help: helpOf(change, provider) }));
    return `${JSON.stringify({ ...report, changes: told }, null, 2)}\n`;
  }
  if (diagnostics.length > 0) return formatDiagnostics(diagnostics, format);
  if (format === 'github') return annotations(report);
  const breaking = changes.filter(({ breaks }) => breaks).length;
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const shown = shownText(version || 'unknown');
  return [
    ...(complete ? [] : [`${partial}\n`]),
    ...changes.map((change, index) => textOf(change, changes[index + 1], provider)),
    `${provider}: ${compared} tools held against version ${shown}: ${changes.length - added} changes, ${breaking} of them break callers, ${added} operations are new\n`,
  ].join('');
}

const partial = 'not all of it was compared: the schemas are too large';

/** What to do stands once below what it is to be done about. */
function textOf(change: DriftChange, next: DriftChange | undefined, provider: string): string {
  const { file, line, column } = change;
  const help = helpOf(change, provider);
  const first = `${file}:${line}:${column} ${shownText(wordsOf(change))}\n`;
  return next && helpOf(next, provider) === help ? first : `${first}    ${help}\n`;
}

function wordsOf({ kind, tool, text }: DriftChange): string {
  return kind === 'added' ? `${kind} ${tool}` : `${kind} ${tool}: ${text}`;
}

function helpOf({ kind, tool, curated }: DriftChange, provider: string): string {
  const curation = `specs/providers/${provider}/curation.yaml`;
  const takeOver = `run provider add ${provider} --openapi with this description`;
  switch (kind) {
    case 'removed':
      return `point from of ${tool} in ${curation} at what replaces it, or take the tool out`;
    case 'renamed':
      return `write the new name in from of ${tool} in ${curation}, then ${takeOver}`;
    case 'altered':
      if (curated) return `write it into ${curation}, which provider add leaves as it is`;
      return `${takeOver}; who calls ${tool} notices nothing unless what it does is another thing now`;
    case 'narrowed':
      if (curated) return `write into ${curation} where it stands now, then ${takeOver}`;
      return `${takeOver}, then generate --accept: callers of ${tool} and readers of its answer may have to change`;
    case 'widened':
      return `nothing has to be done; to offer it, ${takeOver}`;
    case 'deprecated':
      return `look for what replaces it before it is gone; deprecated: true for ${tool} in ${curation} tells callers`;
    case 'added':
      return `if agents need it, add it to ${curation}, then ${takeOver}`;
  }
}

/** Workflow commands (GitHub Actions): an error for what breaks callers, a notice for the rest. */
function annotations({ provider, changes, complete }: DriftReport): string {
  const found = changes.map(
    (change): Diagnostic => ({
      ...{ file: change.file, line: change.line, column: change.column, pointer: '' },
      ...{ code: 'drift', severity: change.breaks ? 'error' : 'info' },
      ...{ message: wordsOf(change), help: helpOf(change, provider) },
    }),
  );
  const note = complete ? '' : `::notice title=drift::${partial}\n`;
  return note + formatDiagnostics(found, 'github');
}
