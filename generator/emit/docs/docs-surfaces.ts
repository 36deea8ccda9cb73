import { isObject, type JsonSchema } from '#contract/json';
import type { Access } from '#contract/operation';
import type {
  SurfaceModel,
  SurfacePrompt,
  SurfaceRoute,
  SurfaceTemplate,
  SurfaceTool,
} from '../../model/house/surface-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { code, page, prose, table } from './markdown.ts';

/** The page of one surface: its routes and its tools. */
export function emitSurfacePage(surface: SurfaceModel): EmittedFile {
  const { id, title = id, description, routes, tools, prompts, templates } = surface;
  return page(`surfaces/${id}.md`, `specs/surfaces/${id}`, [
    `# ${prose(title)}`,
    description === undefined ? undefined : `${prose(description).replace(/\.$/, '')}.`,
    ...(routes.length > 0 ? ['## HTTP routes', errors, ...routes.map(routeBlock)] : []),
    ...(tools.length > 0 ? ['## Tools', ...tools.map(toolBlock)] : []),
    ...(prompts.length > 0 ? ['## Prompts', ...prompts.map(promptBlock)] : []),
    ...(templates.length > 0 ? ['## Resources', ...templates.map(templateBlock)] : []),
  ]);
}

const errors = 'Errors are problem documents, `application/problem+json` (RFC 9457).';

function routeBlock(route: SurfaceRoute): string {
  const { method, path, summary, description, parameters = [], input, replies } = route;
  const schema = propertiesOf(propertiesOf(input)['parameters']);
  const rows = parameters.map(({ name, in: where }) => [
    code(name),
    where,
    meaning(schema[name] ?? {}),
  ]);
  return joined([
    `### ${code(`${method} ${path}`)}`,
    `${prose(summary)}. ${sentence(description)}${demands(route)}`,
    rows.length > 0 ? table(['Parameter', 'In', 'Meaning'], rows) : undefined,
    table(['Status', 'Content'], replies.map(replyRow)),
  ]);
}

function replyRow({ status, contentType }: SurfaceRoute['replies'][number]): string[] {
  return [String(status), contentType === undefined ? 'none' : code(contentType)];
}

function toolBlock(tool: SurfaceTool): string {
  const { name, description, input } = tool;
  const needed = Array.isArray(input['required']) ? input['required'] : [];
  const rows = Object.entries(propertiesOf(input)).map(([argument, schema]) => [
    code(argument),
    needed.includes(argument) ? 'yes' : '',
    meaning(schema),
  ]);
  return joined([
    `### ${code(name)}`,
    `${sentence(description)}${demands(tool)}${taskText(tool)}`,
    rows.length > 0 ? table(['Argument', 'Required', 'Meaning'], rows) : undefined,
  ]);
}

function promptBlock({ name, description, access, arguments: all }: SurfacePrompt): string {
  const rows = all.map((argument) => [
    code(argument.name),
    argument.required ? 'yes' : '',
    meaning({ description: argument.description }),
  ]);
  return joined([
    `### ${code(name)}`,
    `${sentence(description)}${accessText(access)}`,
    rows.length > 0 ? table(['Argument', 'Required', 'Meaning'], rows) : undefined,
  ]);
}

function templateBlock({ uriTemplate, mimeType, description, access }: SurfaceTemplate): string {
  const text = `${sentence(description)}${code(mimeType)}. ${accessText(access)}`;
  return joined([`### ${code(uriTemplate)}`, text]);
}

function demands({ access, limit, audit }: SurfaceRoute | SurfaceTool): string {
  const times = limit && ` At most ${limit.requests} calls in ${limit.perMs / 1000} s per caller.`;
  const noted = audit && ` Audited: ${audit}.`;
  return `${accessText(access)}${times ?? ''}${noted ?? ''}`;
}

function taskText({ task }: SurfaceTool): string {
  switch (task) {
    case 'optional':
      return ' May go on as a task.';
    case 'required':
      return ' Goes on as a task: the client must know the Tasks extension.';
    default:
      return '';
  }
}

function accessText(access: Access): string {
  return access === 'public' ? 'Public.' : `Needs ${access.map(code).join(' and ')}.`;
}

function sentence(text: string | undefined): string {
  return text === undefined ? '' : `${prose(text).replace(/\.$/, '')}. `;
}

function meaning({ description, enum: values }: JsonSchema): string {
  const text = typeof description === 'string' ? prose(description) : '';
  const allowed = Array.isArray(values)
    ? `One of ${values.map((value) => code(String(value))).join(', ')}.`
    : '';
  return [text && `${text}.`, allowed].filter((part) => part !== '').join(' ');
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.['properties'];
  if (!isObject(properties)) return {};
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? value : {}]));
}

function joined(blocks: readonly (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined).join('\n\n');
}
