import type { Switch } from '#contract/config/switch';
import {
  type ConfigModel,
  type ConfigSwitch,
  defaultText,
} from '../../model/house/config-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { interfaceText, type Property } from '../print/interface-text.ts';
import { literal } from '../print/literal.ts';
import { quoted } from '../print/quoted.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `generated/config.ts`: the type of the configuration and the function that reads it. */
export function emitConfig({ sections }: ConfigModel): EmittedFile {
  const switches = sections.flatMap((section) => section.switches);
  const entries = switches.map(({ property, entry }) => [property, entry]);
  return printSourceFile({
    path: 'generated/config.ts',
    source: 'specs/config.yaml',
    imports: [
      {
        from: '#contract/config/config',
        names: ['readSwitches'],
        types: ['ConfigSurroundings', 'Configured', 'Environment', 'Switches'],
      },
    ],
    statements: [
      interfaceText('Config', ['What the operator has chosen.'], switches.map(property)),
      constant({
        name: 'switches',
        type: 'Switches<Config>',
        value: literal(Object.fromEntries(entries)),
        exported: false,
      }),
      reader,
    ],
  });
}

const reader = `/**
 * Read the configuration.
 *
 * @throws ConfigError with everything that is wrong at once
 */
export function readConfig(env: Environment, surroundings: ConfigSurroundings): Configured<Config> {
  return readSwitches(switches, env, surroundings);
}`;

function property(choice: ConfigSwitch): Property {
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
