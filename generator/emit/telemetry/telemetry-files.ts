import { signalsIn, type TelemetryModel } from '../../model/telemetry/telemetry-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print one module for each kind, and the list of all of them. */
export function emitTelemetry(kinds: readonly TelemetryModel[]): readonly EmittedFile[] {
  return [...kinds.map(emitKind), emitList(kinds)];
}

function emitKind({ kind, exportName }: TelemetryModel): EmittedFile {
  const source = `specs/telemetry/${kind.kind}.yaml`;
  return printSourceFile({
    path: `generated/telemetry/${kind.kind}.ts`,
    source,
    imports: [{ from: '#contract/telemetry/kind', names: ['defineTelemetryKind'] }],
    statements: [
      constant({
        name: exportName,
        docs: [`${kind.title} (${kind.documentation}).`],
        value: `defineTelemetryKind(${literal(kind)})`,
      }),
    ],
  });
}

function emitList(kinds: readonly TelemetryModel[]): EmittedFile {
  const entries = kinds.map(({ kind: each, exportName }) => {
    const { kind, title, inProcess, ingest, query, alerts } = each;
    return {
      kind,
      title,
      ...(inProcess && { inProcess }),
      ingests: signalsIn(ingest),
      answers: signalsIn(query),
      ...(alerts && { alerts: true }),
      load: lazyImport(`../../telemetry/${kind}.ts`, exportName),
    };
  });
  return printSourceFile({
    path: 'generated/surfaces/observability/kinds.ts',
    source: 'specs/telemetry',
    imports: [{ from: '#contract/telemetry/kind', types: ['TelemetryKindEntry'] }],
    statements: [
      constant({
        name: 'telemetryKinds',
        type: 'readonly TelemetryKindEntry[]',
        docs: ['Every kind of back end, loaded on first use.'],
        value: literal(entries, { depth: 0, used: 100, after: 1 }),
      }),
    ],
  });
}
