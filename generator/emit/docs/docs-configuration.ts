import { formatDuration, type Switch } from '#contract/config/switch';
import {
  type ConfigModel,
  type ConfigSwitch,
  defaultText,
} from '../../model/house/config-model.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, plain, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';
import { code, page, prose, sentence } from './markdown.ts';

/** The page of everything that the environment decides. */
export function emitConfigurationPage(
  { sections }: ConfigModel,
  providers: readonly ProviderModel[],
): EmittedFile {
  return page('configuration.md', 'specs/config.yaml', 'configuration', {
    sections: sections.map(({ title, switches }) => ({
      title: prose(title),
      switches: switches.map(switchRow),
    })),
    providers: providers
      .filter(({ env }) => env.length > 0)
      .map(({ settings: { id, title }, env }) => ({
        title: printed`[${prose(title)}](providers/${plain(id)}.md)`,
        env: joined(env.map(code), ', '),
      })),
  });
}

function switchRow({ entry, description, derived }: ConfigSwitch): TemplateData {
  const fallback = defaultText(entry);
  const absent = derived === undefined ? printed`` : printed`derived ${prose(derived)}`;
  const more = allowed(entry);
  return {
    env: code(entry.env),
    default: fallback === undefined ? absent : code(fallback),
    meaning: joined([sentence(description), ...(more === '' ? [] : [prose(more)])], ' '),
  };
}

/** What may be given, in words. */
function allowed(entry: Switch): string {
  switch (entry.type) {
    case 'integer':
      return bounds(entry.minimum, entry.maximum, String);
    case 'duration':
      return `A duration such as 500ms, 10s or 5m. ${bounds(entry.minimum, entry.maximum, formatDuration)}`;
    case 'boolean':
      return '1, true, yes or on; 0, false, no or off.';
    case 'enum':
      return `One of ${entry.values.join(', ')}.`;
    case 'string':
      return entry.expects === undefined ? '' : `Expects ${entry.expects}.`;
    case 'url':
      return 'An http or https URL.';
    case 'list':
    case 'cidr_list':
      return 'Separated by commas.';
    case 'secret':
      return 'A secret.';
    case 'path':
      return '';
  }
}

function bounds(
  minimum: number | undefined,
  maximum: number | undefined,
  format: (value: number) => string,
): string {
  if (minimum !== undefined && maximum !== undefined) {
    return `From ${format(minimum)} to ${format(maximum)}.`;
  }
  if (minimum !== undefined) return `At least ${format(minimum)}.`;
  return maximum === undefined ? '' : `At most ${format(maximum)}.`;
}
