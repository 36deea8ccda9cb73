import { type DiagnosticFormat, formatDiagnostics } from '../../diagnostics/format-diagnostics.ts';
import type { DriftChange } from './drift-change.ts';
import type { DriftReport } from './find-drift.ts';

const mostDetails = 8;
const mostAdded = 20;

/** Print what a later description changes: for people, for programs, or as workflow annotations. */
export function driftText(report: DriftReport, format: DiagnosticFormat): string {
  const { provider, version, compared, changes, diagnostics } = report;
  if (format === 'json') {
    const told = changes.map((change) => ({ ...change, help: helpOf(change, provider) }));
    return `${JSON.stringify({ ...report, changes: told }, null, 2)}\n`;
  }
  if (diagnostics.length > 0) return formatDiagnostics(diagnostics, format);
  const kept = changes.filter(({ kind }) => kind !== 'added');
  const added = changes.filter(({ kind }) => kind === 'added');
  if (format === 'github') return kept.map((change) => annotation(change, provider)).join('');
  const breaking = changes.filter(({ breaks }) => breaks).length;
  return [
    ...kept.map((change) => `${lineOf(change)}\n    ${helpOf(change, provider)}\n`),
    ...addedLines(added, provider),
    `${provider}: ${compared} tools held against version ${version || 'unknown'}: ${kept.length} changes, ${breaking} of them break callers, ${added.length} operations are new\n`,
  ].join('');
}

function lineOf({ kind, tool, details }: DriftChange): string {
  const rest = details.length - mostDetails;
  const more = rest > 0 ? `; and ${rest} more` : '';
  const told = details.slice(0, mostDetails).join('; ') + more;
  return `${kind} ${tool}${told === '' ? '' : `: ${told}`}`;
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
      return `${takeOver}, then generate --accept: callers of ${tool} and readers of its answer may have to change`;
    case 'widened':
      return `nothing has to be done; to offer it, ${takeOver}`;
    case 'deprecated':
      return `look for what replaces it before it is gone; deprecated: true for ${tool} in ${curation} tells callers`;
    case 'added':
      return `if agents need it, add it to ${curation}, then ${takeOver}`;
  }
}

function addedLines(added: readonly DriftChange[], provider: string): string[] {
  const [first] = added;
  if (first === undefined) return [];
  const names = added.slice(0, mostAdded).map(({ tool }) => tool);
  const rest = added.length > mostAdded ? `, and ${added.length - mostAdded} more` : '';
  return [`added ${names.join(', ')}${rest}\n    ${helpOf(first, provider)}\n`];
}

/** A workflow command (GitHub Actions): a line for each kept operation. */
function annotation(change: DriftChange, provider: string): string {
  const level = change.breaks ? 'error' : 'notice';
  const text = `${lineOf(change)}. ${helpOf(change, provider)}`;
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} file=specs/providers/${provider}/curation.yaml,line=1,title=drift::${escaped}\n`;
}
