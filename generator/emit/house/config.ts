import type { Switch } from '#contract/config/switch';
import {
  type ConfigModel,
  type ConfigSwitch,
  defaultText,
} from '../../model/house/config-model.ts';
import type { SurfaceConfigModel } from '../../model/house/surface-config.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import { comment, identifier, property, text, value } from '../print/code.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { printModule } from '../print/module.ts';
import { joined, type Printed, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';

/** Print `generated/config.ts`: the type of the configuration and the function that reads it. */
export function emitConfig(
  { sections }: ConfigModel,
  surfaces: readonly SurfaceConfigModel[] = [],
): EmittedFile {
  const groups = surfaces.filter((surface) => surface.switches.length > 0);
  return printModule({
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
    template: 'config',
    data: {
      members: sections.flatMap(({ switches }) => switches.map(switchMember)),
      surfaces: groups.map(({ id, title, switches }) => ({
        docs: comment([`${title}.`], 1),
        name: identifier(camelCase(id)),
        type: identifier(`${pascalCase(id)}Config`),
        entries: value(
          Object.fromEntries(switches.map((choice) => [choice.property, choice.entry])),
        ),
      })),
    },
  });
}

/** The property that a switch becomes, and how it is read. */
export function switchMember(choice: ConfigSwitch): TemplateData {
  const { entry } = choice;
  const type = valueType(entry);
  return {
    docs: comment([`${choice.description} (\`${entry.env}\`${origin(choice)}).`], 1),
    name: property(choice.property),
    type: entry.env.includes('<ID>')
      ? printed`Readonly<Record<string, ${type}>>`
      : optional(entry, type),
    entry: value(entry),
  };
}

function optional(entry: Switch, type: Printed): Printed {
  return defaultText(entry) === undefined ? printed`${type} | undefined` : type;
}

function valueType(entry: Switch): Printed {
  switch (entry.type) {
    case 'integer':
    case 'duration':
      return printed`number`;
    case 'boolean':
      return printed`boolean`;
    case 'enum':
      return joined(entry.values.map(text), ' | ');
    case 'list':
    case 'cidr_list':
      return printed`readonly string[]`;
    case 'string':
    case 'url':
    case 'path':
    case 'secret':
      return printed`string`;
  }
}

function origin(choice: ConfigSwitch): string {
  if (choice.derived !== undefined) return `, otherwise derived ${choice.derived}`;
  const text = defaultText(choice.entry);
  return text === undefined || text === '' ? '' : `, default ${text}`;
}
