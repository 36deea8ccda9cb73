import type {
  SurfaceModel,
  SurfacePrompt,
  SurfaceTemplate,
} from '../../model/house/surface-model.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import { comment, identifier, value } from '../print/code.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { printModule } from '../print/module.ts';
import { joined, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';

const context = { from: '#contract/caller', types: ['CallContext'] };

/** Print the prompts of a surface and the interface of the handlers that complete their arguments. */
export function emitSurfacePrompts({ id, prompts }: SurfaceModel): EmittedFile {
  const handlers = prompts.flatMap(completions);
  return printModule({
    path: `generated/surfaces/${id}/prompts.ts`,
    source: `specs/surfaces/${id}/prompts.yaml`,
    imports: [
      ...(handlers.length > 0 ? [context] : []),
      { from: '#contract/surface/surface-offer', names: ['definePrompts'] },
    ],
    template: 'offers',
    data: {
      what: printed`prompts`,
      handlersDocs: printed`What completes the arguments of the prompts.`,
      interface: identifier(`${pascalCase(id)}Prompts`),
      handlers,
      constant: identifier(`${camelCase(id)}Prompts`),
      define: printed`definePrompts`,
      value: value(prompts.map(promptValue)),
    },
  });
}

/** Print the resource templates of a surface and the interface of the handlers that read them. */
export function emitSurfaceTemplates({ id, templates }: SurfaceModel): EmittedFile {
  return printModule({
    path: `generated/surfaces/${id}/resources.ts`,
    source: `specs/surfaces/${id}/resources.yaml`,
    imports: [context, { from: '#contract/surface/surface-offer', names: ['defineTemplates'] }],
    template: 'offers',
    data: {
      what: printed`resource templates`,
      handlersDocs: printed`One handler for each kind of resource.`,
      interface: identifier(`${pascalCase(id)}Resources`),
      handlers: templates.flatMap((template) => [reader(template), ...completions(template)]),
      constant: identifier(`${camelCase(id)}Templates`),
      define: printed`defineTemplates`,
      value: value(templates.map(templateValue)),
    },
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

function reader({ handler, description, places }: SurfaceTemplate): TemplateData {
  const values = places.map((place) => printed`readonly ${identifier(place)}: string`);
  return {
    docs: comment([`${description}. Nothing where there is none.`], 1),
    name: identifier(handler),
    parameters: printed`values: { ${joined(values, '; ')} }, context: CallContext`,
    returns: printed`Promise<string | undefined>`,
  };
}

function completions({ name, completed }: SurfacePrompt | SurfaceTemplate): TemplateData[] {
  return Object.entries(completed).map(([argument, handler]) => ({
    docs: comment([`Suggest values for ${argument} of ${name} that begin like this one.`], 1),
    name: identifier(handler),
    parameters: printed`value: string, context: CallContext`,
    returns: printed`Promise<readonly string[]>`,
  }));
}
