import { isObject, type JsonSchema } from '#contract/json';
import type { ProviderAuth } from '#contract/provider';
import type { ToolDefinition } from '#contract/tool';
import type { ArgumentModel, ProviderModel, ToolModel } from '../../model/shape/provider-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { code, page, prose, table } from './markdown.ts';

/** The page of one provider: its credential, the scopes that its tools ask for, and its tools. */
export function emitProviderPage(provider: ProviderModel): EmittedFile {
  const { settings, folder, presets, tools } = provider;
  return page(`providers/${settings.id}.md`, folder, [
    `# ${prose(settings.title)} (${code(settings.id)})`,
    facts(provider),
    `## Credential\n\n${credential(settings.auth)}`,
    `## Enable it\n\n${enabling(settings.id, presets)}`,
    `## Tools\n\n${toolTable(tools.map(listedTool))}`,
    ...tools.map(toolSection),
  ]);
}

/** What a table of tools says about one. */
export type ListedTool = Pick<ToolDefinition, 'name' | 'annotations' | 'access'> & {
  readonly purpose: string;
};

/** A row of a provider's tool: its purpose alone, because when to use it stands further below. */
export function listedTool({ definition, purpose }: ToolModel): ListedTool {
  return { ...definition, purpose };
}

/** A table of tools: what each does, whether it changes anything, and the scopes that it asks for. */
export function toolTable(tools: readonly ListedTool[]): string {
  const rows = tools.map(({ name, purpose, annotations, access }) => [
    code(name),
    prose(purpose),
    effect(annotations),
    access === 'public' ? 'none' : access.map(code).join(', '),
  ]);
  return table(['Tool', 'What it does', 'Effect', 'Scopes'], rows);
}

function effect({ readOnlyHint, destructiveHint }: ToolDefinition['annotations']): string {
  if (readOnlyHint) return 'reads';
  return destructiveHint ? 'overwrites or deletes' : 'adds';
}

function facts({ settings, termsUrl, licence }: ProviderModel): string {
  const rows = [
    ['Status', settings.status],
    ['Documentation', settings.homepage === undefined ? '' : code(settings.homepage)],
    ['Terms', termsUrl === undefined ? '' : code(termsUrl)],
    ['Licence of the description', licence === undefined ? '' : prose(licence)],
    ['Address', settings.servers.map(({ url }) => code(url)).join(', ')],
    ['Asks for a contact', settings.contactRequired ? `yes: set ${code('SERVICE_CONTACT')}` : ''],
  ];
  return table(
    ['', ''],
    rows.filter(([, value]) => value !== ''),
  );
}

function credential(schemes: readonly ProviderAuth[]): string {
  const lines = schemes.map((scheme) => {
    if (scheme.type === 'none') return '- None is needed.';
    const names = scheme.env.map(code).join(' or ');
    const files = scheme.env.map((name) => code(`${name}_FILE`)).join(' or ');
    const need = scheme.required ? 'Required' : 'Optional';
    return `- ${need}: set ${names}, or ${files} to the path of a file. It is sent as ${wire(scheme)}.`;
  });
  return lines.length === 0 ? 'None is needed.' : lines.join('\n');
}

function wire(scheme: Exclude<ProviderAuth, { type: 'none' }>): string {
  switch (scheme.type) {
    case 'bearer':
      return `${code('Authorization: Bearer')}`;
    case 'basic':
      return `${code('Authorization: Basic')}`;
    case 'api_key':
      return `${scheme.in} ${scheme.in === 'query' ? 'parameter ' : ''}${code(scheme.name)}`;
  }
}

function enabling(id: string, presets: readonly string[]): string {
  const line = `Start the server with ${code(`SERVICE_PROVIDER=${id}`)}, alone or in a list.`;
  if (presets.includes('default'))
    return `It is enabled unless ${code('SERVICE_PROVIDER')} says otherwise.`;
  if (presets.length === 0) return line;
  return `${line} It is also part of the presets ${presets.map(code).join(', ')}.`;
}

function toolSection(tool: ToolModel): string {
  const { definition, purpose, arguments: parameters, whenToUse, origin } = tool;
  return [
    `### ${code(definition.name)}`,
    prose(purpose),
    whenToUse === undefined ? '' : prose(whenToUse),
    `Request: ${code(`${origin.method} ${origin.path}`)}`,
    parameters.length === 0 ? 'No arguments.' : argumentTable(parameters),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** A table of arguments: what each takes and means. */
export function argumentTable(parameters: readonly ArgumentModel[]): string {
  const rows = parameters.map(({ name, schema, required, default: fallback, description }) => [
    code(name),
    prose(kind(schema)),
    required ? 'yes' : '',
    fallback === undefined ? '' : code(JSON.stringify(fallback)),
    prose(description),
  ]);
  return table(['Argument', 'Type', 'Required', 'Default', 'Meaning'], rows);
}

/** What kind of value a schema wants, in a few words. */
function kind(schema: JsonSchema): string {
  const { type, items } = schema;
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length <= 12) {
    return choices
      .map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)))
      .join(', ');
  }
  if (type === 'array' && isObject(items)) return `array of ${kind(items)}`;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join(' or ') : 'any';
}
