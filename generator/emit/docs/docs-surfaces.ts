import { isObject, type JsonSchema } from '#contract/json';
import type { ErrorStyle } from '#contract/surface/route';
import type {
  SurfaceModel,
  SurfacePrompt,
  SurfaceReply,
  SurfaceRoute,
  SurfaceTemplate,
  SurfaceTool,
} from '../../model/house/surface-model.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, numeral, type Printed, plain, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';
import { demandsInWords } from './demands.ts';
import { code, page, prose, sentence } from './markdown.ts';
import { argumentRow, argumentRows } from './tool-page.ts';

/** The page of one surface: its routes, tools, prompts and resources. */
export function emitSurfacePage(surface: SurfaceModel): EmittedFile {
  const { id, title = id, description, routes, tools, prompts, templates } = surface;
  return page(`surfaces/${id}.md`, `specs/surfaces/${id}`, 'surface', {
    title: prose(title),
    description: description === undefined ? undefined : sentence(description),
    routes: routes.map(routeData),
    tools: tools.map(toolData),
    prompts: prompts.map(promptData),
    templates: templates.map(templateData),
  });
}

function routeData(route: SurfaceRoute): TemplateData {
  const { method, path, summary, description, parameters = [], input, replies } = route;
  const schemas = propertiesOf(propertiesOf(input)['parameters']);
  return {
    address: code(`${method} ${path}`),
    about: about([summary, description], routeText(route)),
    parameters: parameters.map(({ name, in: where }) => ({
      name: code(name),
      in: plain(where),
      meaning: meaning(schemas[name] ?? {}),
    })),
    replies: replies.map(replyRow),
  };
}

function replyRow({ status, contents }: SurfaceReply): TemplateData {
  const types = contents.map(({ contentType }) => code(contentType));
  return {
    status: numeral(status),
    content: types.length === 0 ? printed`none` : joined(types, ' or '),
  };
}

const errorWords: Readonly<Record<ErrorStyle, Printed>> = {
  oauth: printed`Its errors are those of OAuth (RFC 6749 section 5.2).`,
  agent: printed`Its errors are those of OAuth (RFC 6749 section 5.2), with the sentence under two names.`,
  reason: printed`Its errors are a code with its reason.`,
  acp: printed`Its errors are those of the Agentic Commerce Protocol.`,
  ucp: printed`Its errors are those of the Universal Commerce Protocol.`,
  event: printed`Its errors are those of the delivery of events (RFC 8935 section 2.4).`,
};

/** What a route demands, and what it takes besides its parameters. */
function routeText(route: SurfaceRoute): Printed[] {
  const { body, errors, cors, isLong, isVital } = route;
  return [
    ...demandsInWords(route),
    body && printed`Takes ${joined(Object.keys(body).map(code), ' or ')}.`,
    errors && errorWords[errors],
    cors &&
      printed`For pages of ${cors.origins === '*' ? printed`all origins` : joined(cors.origins.map(code), ' or ')}.`,
    isLong && printed`Goes on until the client leaves.`,
    isVital && printed`Is answered also when the server is overloaded.`,
  ].filter((text) => text !== undefined);
}

function toolData(tool: SurfaceTool): TemplateData {
  return {
    name: code(tool.name),
    purpose: about([tool.description], demandsInWords(tool)),
    whenToUse: undefined,
    request: undefined,
    arguments: argumentRows(tool.input),
    examples: [],
  };
}

function promptData({ name, description, access, arguments: all }: SurfacePrompt): TemplateData {
  return {
    name: code(name),
    purpose: about([description], demandsInWords({ access })),
    whenToUse: undefined,
    request: undefined,
    // Arguments of prompts are texts (MCP, prompts).
    arguments: all.map(({ name: argument, description: text, required = false }) =>
      argumentRow(argument, { schema: { type: 'string' }, required, description: text ?? '' }),
    ),
    examples: [],
  };
}

function templateData({
  uriTemplate,
  mimeType,
  description,
  access,
}: SurfaceTemplate): TemplateData {
  const more = [printed`${code(mimeType)}.`, ...demandsInWords({ access })];
  return { name: code(uriTemplate), about: about([description], more) };
}

/** Sentences one after the other. */
function about(texts: readonly (string | undefined)[], more: readonly Printed[]): Printed {
  const own = texts.flatMap((text) => (text === undefined ? [] : [sentence(text)]));
  return joined([...own, ...more], ' ');
}

function meaning({ description, enum: values }: JsonSchema): Printed {
  const text = typeof description === 'string' ? [sentence(description)] : [];
  const allowed = Array.isArray(values)
    ? [
        printed`One of ${joined(
          values.map((value) => code(String(value))),
          ', ',
        )}.`,
      ]
    : [];
  return joined([...text, ...allowed], ' ');
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.['properties'];
  if (!isObject(properties)) return {};
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.map(([name, value]) => [name, isObject(value) ? value : {}]));
}
