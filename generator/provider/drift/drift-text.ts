import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import {
  type DiagnosticFormat,
  formatDiagnostics,
  placelessAnnotation,
  shownText,
} from '../../diagnostics/format-diagnostics.ts';
import type { DriftChange } from './drift-change.ts';
import type { DriftReport } from './find-drift.ts';

/** Print what a later description changes: for people, for programs, or as workflow annotations. */
export function driftText(report: DriftReport, format: DiagnosticFormat): string {
  const { provider, changes, diagnostics, problem } = report;
  if (format === 'json') {
    const told = changes.map((change) => ({ ...change, help: helpOf(change, provider) }));
    return `${JSON.stringify({ ...report, changes: told }, null, 2)}\n`;
  }
  if (diagnostics.length > 0) return formatDiagnostics(diagnostics, format);
  if (problem !== undefined && format === 'github')
    return placelessAnnotation('error', 'drift', problem);
  const notes = notesOf(report);
  if (format === 'github') {
    const all = notes.map((note) => placelessAnnotation('notice', 'drift', note));
    return all.join('') + annotations(report);
  }
  return [
    ...notes.map((note) => `${note}\n`),
    ...changes.map((change, index) => textOf(change, changes[index + 1], provider)),
    `${summaryOf(report)}\n`,
  ].join('');
}

/** What is not among the changes that are told. */
function notesOf({ isCut, untold }: DriftReport): readonly string[] {
  return [
    ...(isCut ? ['not all of it was compared: the schemas are too large'] : []),
    ...(untold > 0 ? [`${untold} more changes are not told`] : []),
  ];
}

function summaryOf({ provider, version, compared, counts }: DriftReport): string {
  const shown = shownText(version || 'unknown');
  const { changed, breaking, added, unread } = counts;
  const missing = unread === 0 ? '' : `, ${unread} things could not be compared`;
  return `${provider}: ${compared} tools held against version ${shown}: ${changed} changes, ${breaking} of them break callers, ${added} operations are new${missing}`;
}

/** What to do stands once below what it is to be done about. */
function textOf(change: DriftChange, next: DriftChange | undefined, provider: string): string {
  const { file, line, column } = change;
  const help = helpOf(change, provider);
  const first = `${file}:${line}:${column} ${shownText(wordsOf(change))}\n`;
  return next && helpOf(next, provider) === help ? first : `${first}    ${help}\n`;
}

/** Of several tools, so many are named. */
const mostNamed = 3;

function wordsOf({ kind, tool, tools = [tool], text }: DriftChange): string {
  if (kind === 'added') return `${kind} ${tool}`;
  const others = tools.length - mostNamed;
  const more = others > 0 ? ` and ${others} more` : '';
  return `${kind} ${tools.slice(0, mostNamed).join(', ')}${more}: ${text}`;
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
      return `${takeOver}; callers notice nothing unless what is done is another thing now`;
    case 'narrowed':
      if (curated) return `write into ${curation} where it stands now, then ${takeOver}`;
      return `${takeOver}, then generate --accept: callers and readers of the answer may have to change`;
    case 'widened':
      return `nothing has to be done; to offer it, ${takeOver}`;
    case 'deprecated':
      return `look for what replaces it before it is gone; deprecated: true for ${tool} in ${curation} tells callers`;
    case 'unread':
      return 'give the description with all of its files, --root DIR where they stand above its folder; the rest was compared';
    case 'added':
      return `if agents need it, add it to ${curation}, then ${takeOver}`;
  }
}

/** Workflow commands (GitHub Actions): an error for what breaks callers, a warning for what is unknown. */
function annotations({ provider, changes }: DriftReport): string {
  const found = changes.map(
    (change): Diagnostic => ({
      ...{ file: change.file, line: change.line, column: change.column, pointer: '' },
      ...{ code: 'drift', severity: severityOf(change) },
      ...{ message: wordsOf(change), help: helpOf(change, provider) },
    }),
  );
  return formatDiagnostics(found, 'github');
}

function severityOf({ kind, breaks }: DriftChange): Diagnostic['severity'] {
  if (breaks) return 'error';
  return kind === 'unread' ? 'warning' : 'info';
}
