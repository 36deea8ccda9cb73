import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type DiagnosticFormat, formatDiagnostics } from '../diagnostics/format-diagnostics.ts';
import type { GenerateResult } from '../pipeline/pipeline.ts';
import type { Drift } from '../write/drift.ts';

/** Print what a run has found and done. */
export function formatResult(result: GenerateResult, format: DiagnosticFormat): string {
  const { diagnostics, drift = [] } = result;
  switch (format) {
    case 'json':
      return `${JSON.stringify({ ...result, summary: summary(result) }, null, 2)}\n`;
    case 'github':
      return formatDiagnostics(diagnostics, format) + drift.map(driftAnnotation).join('');
    case 'text':
      return (
        formatDiagnostics(diagnostics.filter(isForPeople), format) +
        drift.map(driftText).join('') +
        line(summary(result))
      );
  }
}

/** Notes are for programs, but what happened to published tools is for whoever runs this. */
function isForPeople({ severity, code }: Diagnostic): boolean {
  return severity !== 'info' || /^P03\d$/.test(code);
}

function summary({ diagnostics, drift, ...result }: GenerateResult): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return `${count(errors.length, 'error')} in ${places(errors)}; nothing was written`;
  if (drift !== undefined) {
    if (drift.length === 0) return '';
    const verb = drift.length === 1 ? 'differs' : 'differ';
    return `${count(drift.length, 'file')} ${verb} from what specs/ give; run npm run generate`;
  }
  const { providers, tools, only, written } = result;
  const { written: changed = [], deleted = [], unchanged = 0 } = written ?? {};
  return [
    `${count(providers, 'provider')}, ${count(tools, 'tool')}: ${count(changed.length, 'file')} written`,
    ...(deleted.length > 0 ? [`${deleted.length} deleted`] : []),
    `${unchanged} unchanged`,
    ...(only === undefined ? [] : ['what is made from all providers was left alone']),
  ].join(', ');
}

/** `1 provider and specs/config.yaml`. */
function places(errors: readonly Diagnostic[]): string {
  const within = (folder: string) =>
    new Set(
      errors.flatMap(({ file }) => {
        const [specs, kind, id, ...rest] = file.split('/');
        return specs === 'specs' && kind === folder && rest.length > 0 ? [id] : [];
      }),
    ).size;
  const [providers, surfaces] = [within('providers'), within('surfaces')];
  const others = new Set(
    errors
      .map(({ file }) => file)
      .filter((file) => !/^specs\/(?:providers|surfaces)\/[^/]+\//.test(file)),
  );
  return [
    ...(providers > 0 ? [count(providers, 'provider')] : []),
    ...(surfaces > 0 ? [count(surfaces, 'surface')] : []),
    ...others,
  ].join(' and ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function line(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

const verdicts: Readonly<Record<Drift['kind'], string>> = {
  changed: 'differs from what specs/ give',
  missing: 'is missing',
  surplus: 'would not be generated',
};

function driftText({ path, kind, diff = '' }: Drift): string {
  return `${path} ${verdicts[kind]}\n${diff}`;
}

function driftAnnotation({ path, kind }: Drift): string {
  return `::error file=${path},line=1,title=drift::${path} ${verdicts[kind]}\n`;
}
