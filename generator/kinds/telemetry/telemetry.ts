import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { unknownPlaceholders } from '../../model/telemetry/placeholder-rules.ts';
import {
  planTelemetry,
  type TelemetryFile,
  type TelemetryModel,
} from '../../model/telemetry/telemetry-model.ts';
import { readChecked } from '../../read/text/checked-yaml.ts';
import type { ParsedFile } from '../../read/text/parsed-file.ts';
import { type Kind, models, type Place, type Planned } from '../kind/kind.ts';

/** Kinds of log, metrics, trace and profile stores, one file each. */
export const telemetry: Kind<readonly TelemetryModel[]> = {
  name: 'telemetry',
  where: ['specs/telemetry/'],
  plan: planFolder,
  async merge(parts) {
    if (parts.length === 0) return [];
    const { emitTelemetry } = await import('../../emit/telemetry/telemetry-files.ts');
    return emitTelemetry(models(parts).flat());
  },
};

function planFolder({ base, path }: Place): Planned<readonly TelemetryModel[]> {
  const names = readdirSync(join(base, path)).filter((name) => name.endsWith('.yaml'));
  const planned = names.sort().map((name) => planFile(base, path, name));
  return {
    model: planned.flatMap(({ model }) => model ?? []),
    diagnostics: planned.flatMap(({ diagnostics }) => diagnostics),
  };
}

function planFile(base: string, path: string, name: string): Planned<TelemetryModel> {
  const id = name.slice(0, -'.yaml'.length);
  const read = readChecked<TelemetryFile>(join(base, path, name), base, 'telemetry');
  const { file, content } = read;
  const diagnostics = [...read.diagnostics, ...badName(id, file)];
  if (content === undefined) return { diagnostics };
  const model = planTelemetry(content, id);
  return { model, file, diagnostics: [...diagnostics, ...emptyPlaceholders(model, file)] };
}

/** The name of the file is what operators write, and becomes that of a module. */
function badName(id: string, file: ParsedFile): Diagnostic[] {
  if (/^[a-z][a-z0-9]{0,30}$/.test(id)) return [];
  const message = `the name of the file must match ^[a-z][a-z0-9]*\\.yaml$, but it is ${JSON.stringify(`${id}.yaml`)}`;
  return [diagnose('SPEC001', { ...file.locate(''), pointer: '' }, message)];
}

function emptyPlaceholders({ kind }: TelemetryModel, file: ParsedFile): Diagnostic[] {
  return unknownPlaceholders(kind).map(({ pointer, name, form, known }) => {
    const message =
      form === undefined ? `nothing fills in <${name}>` : `a value has no form ${form}`;
    const help = suggestion(form ?? name, known);
    return diagnose('SPEC005', { ...file.locate(pointer), pointer }, message, { help });
  });
}
