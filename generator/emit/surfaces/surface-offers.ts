import type {
  SurfaceModel,
  SurfacePrompt,
  SurfaceTemplate,
} from '../../model/house/surface-model.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { type HandlerSignature, handlerInterface } from '../print/handler-interface.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

const context = 'context: CallContext';

/** Print the prompts of a surface and the interface of the handlers that complete their arguments. */
export function emitSurfacePrompts({ id, prompts }: SurfaceModel): EmittedFile {
  const handlers = `${pascalCase(id)}Prompts`;
  const signatures = prompts.flatMap(completions);
  const value = literal(prompts.map(promptValue));
  return printSourceFile({
    path: `generated/surfaces/${id}/prompts.ts`,
    source: `specs/surfaces/${id}/prompts.yaml`,
    imports: [
      ...(signatures.length > 0 ? [{ from: '#contract/caller', types: ['CallContext'] }] : []),
      { from: '#contract/surface/surface-offer', names: ['definePrompts'] },
    ],
    statements: [
      ...(signatures.length > 0
        ? [handlerInterface(handlers, ['What completes the arguments of the prompts.'], signatures)]
        : []),
      constant({
        name: `${camelCase(id)}Prompts`,
        docs: ['The prompts of this surface.'],
        value: `definePrompts<${signatures.length > 0 ? handlers : 'object'}>(${value})`,
      }),
    ],
  });
}

/** Print the resource templates of a surface and the interface of the handlers that read them. */
export function emitSurfaceTemplates({ id, templates }: SurfaceModel): EmittedFile {
  const handlers = `${pascalCase(id)}Resources`;
  const value = literal(templates.map(templateValue));
  const signatures = templates.flatMap((template) => [reader(template), ...completions(template)]);
  return printSourceFile({
    path: `generated/surfaces/${id}/resources.ts`,
    source: `specs/surfaces/${id}/resources.yaml`,
    imports: [
      { from: '#contract/caller', types: ['CallContext'] },
      { from: '#contract/surface/surface-offer', names: ['defineTemplates'] },
    ],
    statements: [
      handlerInterface(handlers, ['One handler for each kind of resource.'], signatures),
      constant({
        name: `${camelCase(id)}Templates`,
        docs: ['The resource templates of this surface.'],
        value: `defineTemplates<${handlers}>(${value})`,
      }),
    ],
  });
}

function promptValue(prompt: SurfacePrompt): object {
  const { name, title, description, access, arguments: all, completed, lines } = prompt;
  return {
    name,
    title,
    description,
    access,
    arguments: all.length > 0 ? all : undefined,
    complete: present(completed),
    lines,
  };
}

function templateValue(template: SurfaceTemplate): object {
  const { handler, places: _, completed, ...definition } = template;
  return { handler, ...definition, complete: present(completed) };
}

function present(completed: Readonly<Record<string, string>>): object | undefined {
  return Object.keys(completed).length > 0 ? completed : undefined;
}

function reader({ handler, description, places }: SurfaceTemplate): HandlerSignature {
  const values = places.map((place) => `readonly ${place}: string`).join('; ');
  return {
    name: handler,
    docs: [`${description}. Nothing where there is none.`],
    parameters: [`values: { ${values} }`, context],
    returns: 'Promise<string | undefined>',
  };
}

function completions({ name, completed }: SurfacePrompt | SurfaceTemplate): HandlerSignature[] {
  return Object.entries(completed).map(([argument, handler]) => ({
    name: handler,
    docs: [`Suggest values for ${argument} of ${name} that begin like this one.`],
    parameters: ['value: string', context],
    returns: 'Promise<readonly string[]>',
  }));
}
