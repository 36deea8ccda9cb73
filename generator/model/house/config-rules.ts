import { parseSwitch } from '#contract/config/switch';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import type { Located } from '../texts/report.ts';
import { type ConfigModel, type ConfigSwitch, defaultText } from './config-model.ts';
import type { SurfaceConfigModel } from './surface-config.ts';

/** Check what the JSON Schema of `config.yaml` cannot say. */
export function checkConfig(config: ConfigModel, file: Located): Diagnostic[] {
  const switches = switchesOf(config);
  const taken = switches.flatMap(({ property, entry, pointer }) => {
    if (property !== 'surfaces') return [];
    const at = `${pointer}/env`;
    const message = `${entry.env} becomes the property "${property}", which holds the settings of the surfaces`;
    return [diagnose('CONF001', { ...file.locate(at), pointer: at }, message)];
  });
  return [...checkSwitches(switches, [], file), ...taken];
}

function switchesOf({ sections }: ConfigModel): ConfigSwitch[] {
  return sections.flatMap(({ switches }) => switches);
}

/** A variable that another file lists. */
interface Listed {
  readonly env: string;
  readonly file: string;
}

/** Check what surfaces add to the configuration, each against what stands before it. */
export function checkSurfaceConfigs(
  configs: readonly { readonly model: SurfaceConfigModel; readonly file: Located }[],
  process: readonly { readonly model: ConfigModel; readonly file: Located }[],
): Diagnostic[] {
  const own = process.flatMap(({ model }) => switchesOf(model));
  const earlier = process.flatMap(({ model, file }) => listed(switchesOf(model), file));
  return configs.flatMap(({ model, file }) => {
    const found = [
      ...checkSwitches(model.switches, earlier, file),
      ...unknownChoice(model, own, file),
    ];
    earlier.push(...listed(model.switches, file));
    return found;
  });
}

function listed(switches: readonly ConfigSwitch[], location: Located): Listed[] {
  const { file } = location.locate('');
  return switches.map(({ entry: { env } }) => ({ env, file }));
}

function checkSwitches(
  switches: readonly ConfigSwitch[],
  earlier: readonly Listed[],
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
  elsewhere: readonly Listed[],
): Problem[] {
  const { property } = choice;
  const { env } = choice.entry;
  const pointer = choice.pointer === '/switch' ? choice.pointer : `${choice.pointer}/env`;
  const other = elsewhere.find((one) => one.env === env);
  if (other) {
    return [{ code: 'CONF001', pointer, message: `${env} is already listed in ${other.file}` }];
  }
  if (before.some(({ entry }) => entry.env === env)) {
    return [{ code: 'CONF001', pointer, message: `${env} is already listed` }];
  }
  const same = before.find((one) => one.property === property);
  if (!same) return [];
  const message = `${env} and ${same.entry.env} both become the property "${property}"`;
  // The property of a setting is its key; that of a switch of the process is made of its variable.
  const isSetting = choice.pointer.startsWith('/settings/');
  return [{ code: 'CONF001', pointer: isSetting ? choice.pointer : pointer, message }];
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
