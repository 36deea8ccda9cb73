import { formatDuration, type Switch } from '#contract/config/switch';
import {
  type ConfigModel,
  type ConfigSwitch,
  defaultText,
} from '../../model/house/config-model.ts';
import type { ProviderModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { code, page, prose, table } from './markdown.ts';

/** The page of everything that the environment decides. */
export function emitConfigurationPage(
  { sections }: ConfigModel,
  providers: readonly ProviderModel[],
): EmittedFile {
  return page('configuration.md', 'specs/config.yaml', [
    '# Configuration',
    [
      'The server is configured by environment variables. A wrong value stops the start (exit code',
      '78) with every problem in one message; an unknown `SERVICE_*` variable is a warning. An empty',
      'variable counts as absent. A secret can also be read from a file: set `<NAME>_FILE` to its path.',
    ].join('\n'),
    ...sections.map(
      ({ title, switches }) =>
        `## ${title}\n\n${table(['Variable', 'Default', 'What it does'], switches.map(switchRow))}`,
    ),
    credentials(providers),
  ]);
}

function switchRow({ entry, description, derived }: ConfigSwitch): readonly string[] {
  const fallback = defaultText(entry);
  const absent = derived === undefined ? '' : `derived ${derived}`;
  return [
    code(entry.env),
    fallback === undefined ? absent : code(fallback),
    `${prose(description)}. ${prose(allowed(entry))}`.trim(),
  ];
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

function credentials(providers: readonly ProviderModel[]): string | undefined {
  const rows = providers
    .filter(({ env }) => env.length > 0)
    .map(({ settings, env }) => [
      `[${prose(settings.title)}](providers/${settings.id}.md)`,
      env.map(code).join(', '),
    ]);
  if (rows.length === 0) return undefined;
  return [
    '## Variables of the providers',
    'A credential is sent to its own provider only, and setting one never enables a provider: `SERVICE_PROVIDER` does.',
    table(['Provider', 'Variables'], rows),
  ].join('\n\n');
}
