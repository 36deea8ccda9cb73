import type { Access } from '#contract/operation';
import type { PromptArgument } from '#contract/prompt';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { camelCase } from '../texts/names.ts';
import type { Located } from '../texts/report.ts';
import { checkIdentifiers, type Named } from './identifier-rules.ts';
import type { SurfacePrompt, SurfaceTemplate } from './surface-model.ts';

/** A `prompts.yaml` that its JSON Schema accepts. */
export interface PromptsFile {
  readonly prompts: readonly RawPrompt[];
}

interface RawPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  readonly arguments?: readonly (PromptArgument & { readonly complete?: boolean })[];
  readonly text: string;
}

/** A `resources.yaml` that its JSON Schema accepts. */
export interface ResourcesFile {
  readonly templates: readonly RawTemplate[];
}

interface RawTemplate {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly uriTemplate: string;
  readonly mimeType: string;
  readonly access: Access;
  readonly complete?: readonly string[];
}

/** Read the prompts of a surface out of its `prompts.yaml`. */
export function planPrompts({ prompts }: PromptsFile): SurfacePrompt[] {
  return prompts.map(({ name, title, description, access, text, arguments: all = [] }) => ({
    name,
    title,
    description,
    access,
    arguments: all.map(({ complete: _, ...argument }) => argument),
    completed: handlersOf(
      name,
      all.flatMap((argument) => (argument.complete ? [argument.name] : [])),
    ),
    lines: text.trimEnd().split('\n'),
  }));
}

/** Read the resource templates of a surface out of its `resources.yaml`. */
export function planTemplates({ templates }: ResourcesFile): SurfaceTemplate[] {
  return templates.map(({ complete = [], ...template }) => ({
    ...template,
    handler: camelCase(template.name),
    places: placesIn(template.uriTemplate),
    completed: handlersOf(template.name, complete),
  }));
}

/** The handler that suggests values for each of some arguments. */
function handlersOf(name: string, all: readonly string[]): Record<string, string> {
  return Object.fromEntries(all.map((argument) => [argument, completer(name, argument)]));
}

function completer(name: string, argument: string): string {
  return camelCase(`complete_${name}_${argument}`);
}

function completion(name: string, argument: string, pointer: string): Named {
  const identifier = completer(name, argument);
  return { name: `{${argument}} of ${name}`, identifier, pointer };
}

/** Say which prompts have places without arguments, or arguments without places. */
export function checkPrompts({ prompts }: PromptsFile, file: Located): Diagnostic[] {
  const twice = repeated(prompts, '/prompts', file);
  const handlers = prompts.flatMap(({ name, arguments: all = [] }, index) =>
    all.flatMap((argument, at) => {
      const pointer = `/prompts/${index}/arguments/${at}/name`;
      return argument.complete ? [completion(name, argument.name, pointer)] : [];
    }),
  );
  const wrong = prompts.flatMap(({ text, arguments: all = [] }, index) => {
    const declared = all.map(({ name }) => name);
    const places = placesIn(text);
    const pointer = `/prompts/${index}`;
    return [
      ...difference(places, declared).map((place) =>
        mismatch(file, `${pointer}/text`, `{${place}} is no argument`, suggestion(place, declared)),
      ),
      ...difference(declared, places).map((name) => {
        const at = `${pointer}/arguments/${declared.indexOf(name)}/name`;
        return mismatch(file, at, `the text has no place {${name}}`);
      }),
    ];
  });
  return [...twice, ...checkIdentifiers(handlers, file), ...wrong];
}

/** Say which resource templates complete places that they do not have. */
export function checkTemplates({ templates }: ResourcesFile, file: Located): Diagnostic[] {
  const twice = repeated(templates, '/templates', file);
  const handlers = templates.flatMap(({ name, complete = [] }, index) => [
    { name, identifier: camelCase(name), pointer: `/templates/${index}/name` },
    ...complete.map((place, at) => completion(name, place, `/templates/${index}/complete/${at}`)),
  ]);
  const wrong = templates.flatMap(({ uriTemplate, complete = [] }, index) =>
    difference(complete, placesIn(uriTemplate)).map((place) => {
      const at = `/templates/${index}/complete/${complete.indexOf(place)}`;
      return mismatch(file, at, `${uriTemplate} has no place {${place}}`);
    }),
  );
  return [...twice, ...checkIdentifiers(handlers, file), ...wrong];
}

function repeated(
  all: readonly { readonly name: string }[],
  list: string,
  file: Located,
): Diagnostic[] {
  return all.flatMap(({ name }, index) => {
    if (all.findIndex((other) => other.name === name) === index) return [];
    const pointer = `${list}/${index}/name`;
    return [diagnose('SURF003', { ...file.locate(pointer), pointer }, `"${name}" is used twice`)];
  });
}

function mismatch(file: Located, pointer: string, message: string, help?: string): Diagnostic {
  const at = { ...file.locate(pointer), pointer };
  return diagnose('SURF006', at, message, help === undefined ? {} : { help });
}

function placesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => place))];
}

function difference(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((name) => !others.includes(name));
}
