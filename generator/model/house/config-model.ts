import { formatDuration, parseDuration, type Switch } from '#contract/config/switch';
import { camelCase } from '../texts/names.ts';

/** The environment switches as `specs/config.yaml` lists them. */
export interface ConfigModel {
  readonly sections: readonly ConfigSection[];
}

export interface ConfigSection {
  readonly title: string;
  readonly switches: readonly ConfigSwitch[];
}

/** One switch: how it is read, and what people are told about it. */
export interface ConfigSwitch {
  /** Name of the property in the generated `Config`. */
  readonly property: string;
  readonly entry: Switch;
  readonly description: string;
  /** What the value is derived from when the variable is absent. */
  readonly derived?: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
}

/** A configuration file that its JSON Schema accepts. */
export interface ConfigFile {
  readonly sections: readonly {
    readonly title: string;
    readonly switches: readonly RawSwitch[];
  }[];
}

export interface RawSwitch {
  readonly env: string;
  readonly type: Switch['type'];
  readonly description: string;
  readonly derived?: string;
  readonly default?: string | number | boolean | readonly string[];
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly values?: readonly string[];
  readonly pattern?: string;
  readonly expects?: string;
}

/** Give each switch its property name and turn durations into milliseconds. */
export function planConfig(file: ConfigFile): ConfigModel {
  const sections = file.sections.map(({ title, switches }, section) => ({
    title,
    switches: switches.map((raw, index) =>
      planSwitch(raw, propertyOf(raw), `/sections/${section}/switches/${index}`),
    ),
  }));
  return { sections };
}

/** Plan one switch; a duration is called after its unit. */
export function planSwitch(raw: RawSwitch, name: string, pointer: string): ConfigSwitch {
  const { description, derived, ...rest } = raw;
  const entry = {
    ...rest,
    ...(raw.type === 'duration' ? milliseconds(raw) : {}),
  };
  return {
    property: raw.type === 'duration' ? `${name}Ms` : name,
    // The JSON Schema of the file allows exactly the fields that belong to the type.
    entry: entry as Switch,
    description,
    ...(derived === undefined ? {} : { derived }),
    pointer,
  };
}

function milliseconds(raw: RawSwitch): Record<string, number | undefined> {
  const fields = ['default', 'minimum', 'maximum'] as const;
  const present = fields.filter((field) => raw[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, parseDuration(String(raw[field]))]));
}

/** `SERVICE_CALL_TIMEOUT` becomes `callTimeout`, `SERVICE_PROVIDER_<ID>_URL` `providerUrl`. */
function propertyOf({ env }: RawSwitch): string {
  return camelCase(
    env
      .replace(/^SERVICE_/, '')
      .replace('<ID>', '')
      .toLowerCase(),
  );
}

/** The default of a switch as an operator would write it. */
export function defaultText(entry: Switch): string | undefined {
  if (entry.type === 'secret' || entry.default === undefined) return undefined;
  if (entry.type === 'duration') return formatDuration(entry.default);
  return Array.isArray(entry.default) ? entry.default.join(',') : String(entry.default);
}
