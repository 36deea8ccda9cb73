import { parseSwitch } from '#contract/config/switch';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import type { Located } from '../texts/report.ts';
import { type ConfigModel, type ConfigSwitch, defaultText } from './config-model.ts';
import type { SurfaceConfigModel } from './surface-config.ts';

/** Check what the JSON Schema of `config.yaml` cannot say. */
export function checkConfig({ sections }: ConfigModel, file: Located): Diagnostic[] {
  const switches = sections.flatMap((section) => section.switches);
  return checkSwitches(switches, [], file);
}

/** Check what surfaces add to the configuration, each against what stands before it. */
export function checkSurfaceConfigs(
  configs: readonly { readonly model: SurfaceConfigModel; readonly file: Located }[],
  process: readonly ConfigModel[],
): Diagnostic[] {
  const own = process.flatMap(({ sections }) => sections.flatMap(({ switches }) => switches));
  const earlier = own.map(({ entry: { env } }) => env);
  return configs.flatMap(({ model, file }) => {
    const found = [
      ...checkSwitches(model.switches, earlier, file),
      ...unknownChoice(model, own, file),
    ];
    earlier.push(...model.switches.map(({ entry: { env } }) => env));
    return found;
  });
}

function checkSwitches(
  switches: readonly ConfigSwitch[],
  earlier: readonly string[],
  file: Located,
): Diagnostic[] {
  return switches.flatMap((choice, index) =>
    [...twice(choice, switches.slice(0, index), earlier), ...badDefault(choice)].map(
      ({ code, pointer, message }) => diagnose(code, { ...file.locate(pointer), pointer }, message),
    ),
  );
}

/** A surface may be enabled by values of a switch of the process, which must be there. */
function unknownChoice(
  { choice }: SurfaceConfigModel,
  own: readonly ConfigSwitch[],
  file: Located,
): Diagnostic[] {
  if (choice === undefined || choice.isOwn) return [];
  const { env, values } = choice;
  const entry = own.map((each) => each.entry).find((each) => each.env === env);
  if (entry?.type !== 'enum') {
    const message = `${env} is no switch of specs/config.yaml that has values`;
    return [
      diagnose('CONF003', { ...file.locate('/switch/env'), pointer: '/switch/env' }, message),
    ];
  }
  return values.flatMap((value, index) => {
    if (entry.values.includes(value)) return [];
    const pointer = `/switch/values/${index}`;
    const message = `${env} never is ${JSON.stringify(value)}`;
    const help = suggestion(value, entry.values);
    return [diagnose('CONF003', { ...file.locate(pointer), pointer }, message, { help })];
  });
}

interface Problem {
  readonly code: 'CONF001' | 'CONF002';
  readonly pointer: string;
  readonly message: string;
}

function twice(
  choice: ConfigSwitch,
  before: readonly ConfigSwitch[],
  elsewhere: readonly string[],
): Problem[] {
  const { env } = choice.entry;
  const pointer = choice.pointer === '/switch' ? choice.pointer : `${choice.pointer}/env`;
  if (elsewhere.includes(env)) {
    return [{ code: 'CONF001', pointer, message: `${env} is already listed` }];
  }
  const same = before.find(
    ({ property, entry }) => property === choice.property || entry.env === env,
  );
  if (!same) return [];
  const message =
    same.entry.env === env
      ? `${env} is already listed`
      : `${env} and ${same.entry.env} both become the property "${choice.property}"`;
  return [{ code: 'CONF001', pointer, message }];
}

/** The reader of the configuration decides, so that a default is what an operator could write. */
function badDefault({ entry, pointer }: ConfigSwitch): Problem[] {
  const text = defaultText(entry);
  if (entry.type === 'secret' || text === undefined || text === '') return [];
  const parsed = parseSwitch(entry, text);
  if ('value' in parsed) return [];
  const message = `the default of ${entry.env} is ${JSON.stringify(text)}, but ${parsed.expected} is expected`;
  return [{ code: 'CONF002', pointer: `${pointer}/default`, message }];
}
