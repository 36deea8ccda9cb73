import type { Switch } from '#contract/config/switch';
import {
  type ConfigModel,
  type ConfigSwitch,
  defaultText,
} from '../../model/house/config-model.ts';
import type { SurfaceConfigModel } from '../../model/house/surface-config.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { interfaceText, type Property } from '../print/interface-text.ts';
import { literal } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `generated/config.ts`: the type of the configuration and the function that reads it. */
export function emitConfig(
  { sections }: ConfigModel,
  surfaces: readonly SurfaceConfigModel[] = [],
): EmittedFile {
  const switches = sections.flatMap((section) => section.switches);
  const groups = surfaces.filter((surface) => surface.switches.length > 0);
  const group = groups.map((surface) => [camelCase(surface.id), entriesOf(surface.switches)]);
  return printSourceFile({
    path: 'generated/config.ts',
    source: groups.length === 0 ? 'specs/config.yaml' : 'specs',
    imports: [
      {
        from: '#contract/config/config',
        names: ['readSwitches'],
        types: ['ConfigSurroundings', 'Configured', 'Environment', 'Switches'],
      },
      ...groups.map(({ id }) => ({
        from: `./surfaces/${id}/config.ts`,
        types: [`${pascalCase(id)}Config`],
      })),
    ],
    statements: [
      interfaceText(
        'Config',
        ['What the operator has chosen.'],
        [...switches.map(switchProperty), ...(groups.length > 0 ? [surfacesProperty] : [])],
      ),
      ...(groups.length > 0
        ? [interfaceText('SurfaceConfigs', ['The settings of each surface.'], groups.map(slice))]
        : []),
      constant({
        name: 'switches',
        type: 'Switches<Config>',
        value: literal({
          ...entriesOf(switches),
          ...(groups.length > 0 && { surfaces: Object.fromEntries(group) }),
        }),
        exported: false,
      }),
      reader,
    ],
  });
}

const surfacesProperty: Property = {
  name: 'surfaces',
  readonly: true,
  type: 'SurfaceConfigs',
  docs: ['What is of one surface alone.'],
};

function slice({ id, title }: SurfaceConfigModel): Property {
  return {
    name: camelCase(id),
    readonly: true,
    type: `${pascalCase(id)}Config`,
    docs: [`${title}.`],
  };
}

function entriesOf(switches: readonly ConfigSwitch[]): object {
  return Object.fromEntries(switches.map(({ property, entry }) => [property, entry]));
}

const reader = `/**
 * Read the configuration.
 *
 * @throws ConfigError with everything that is wrong at once
 */
export function readConfig(env: Environment, surroundings: ConfigSurroundings): Configured<Config> {
  return readSwitches(switches, env, surroundings);
}`;

/** The property that a switch becomes. */
export function switchProperty(choice: ConfigSwitch): Property {
  const { entry } = choice;
  const type = valueType(entry);
  return {
    name: choice.property,
    readonly: true,
    type: entry.env.includes('<ID>') ? `Readonly<Record<string, ${type}>>` : optional(entry, type),
    docs: [`${choice.description} (\`${entry.env}\`${origin(choice)}).`],
  };
}

function optional(entry: Switch, type: string): string {
  return defaultText(entry) === undefined ? `${type} | undefined` : type;
}

function valueType(entry: Switch): string {
  switch (entry.type) {
    case 'integer':
    case 'duration':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'enum':
      return entry.values.map(quoted).join(' | ');
    case 'list':
    case 'cidr_list':
      return 'readonly string[]';
    case 'string':
    case 'url':
    case 'path':
    case 'secret':
      return 'string';
  }
}

function origin(choice: ConfigSwitch): string {
  if (choice.derived !== undefined) return `, otherwise derived ${choice.derived}`;
  const text = defaultText(choice.entry);
  return text === undefined || text === '' ? '' : `, default ${text}`;
}
