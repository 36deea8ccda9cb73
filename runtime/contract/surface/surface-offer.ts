import type { CallContext } from '../caller.ts';
import type { Prompt, PromptDefinition } from '../prompt.ts';
import type {
  Complete,
  ResourceTemplate,
  ResourceTemplateDefinition,
  TemplateValues,
} from '../resource.ts';

/** The handlers that suggest values, by the arguments that they suggest them for. */
type Completions<Handlers> = Readonly<Record<string, keyof Handlers & string>>;

/** The prompts of a surface: `{name}` in their lines stands for an argument. */
export type SurfacePrompts<Handlers> = readonly (PromptDefinition & {
  readonly lines: readonly string[];
  readonly complete?: Completions<Handlers>;
})[];

/** The resource templates of a surface, each with the name of the handler that reads it. */
export type SurfaceTemplates<Handlers> = readonly (ResourceTemplateDefinition & {
  readonly handler: keyof Handlers & string;
  readonly complete?: Completions<Handlers>;
})[];

type Suggest = (value: string, context: CallContext) => Promise<readonly string[]>;
type Read = (values: TemplateValues, context: CallContext) => Promise<string | undefined>;

/** Check generated prompts against the interface of their handlers. */
export function definePrompts<Handlers>(
  prompts: SurfacePrompts<Handlers>,
): SurfacePrompts<Handlers> {
  return prompts;
}

/** Check generated resource templates against the interface of their handlers. */
export function defineTemplates<Handlers>(
  templates: SurfaceTemplates<Handlers>,
): SurfaceTemplates<Handlers> {
  return templates;
}

/** Put each prompt together with the handlers that complete its arguments. */
export function bindPrompts<Handlers extends object>(
  prompts: SurfacePrompts<Handlers>,
  handlers: Handlers,
): readonly Prompt[] {
  return prompts.map(({ lines, complete, ...definition }) => ({
    definition,
    async get(args) {
      const text = filled(lines.join('\n'), args);
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
    complete: completionOf(complete, handlers),
  }));
}

/** Put each resource template together with the handler that reads it. */
export function bindTemplates<Handlers extends object>(
  templates: SurfaceTemplates<Handlers>,
  handlers: Handlers,
): readonly ResourceTemplate[] {
  return templates.map(({ handler, complete, ...definition }) => {
    // `defineTemplates` has checked the name, the generated interface the type behind it.
    const read = handlers[handler] as Read;
    return {
      definition,
      async read(values, uri, context) {
        const text = await read(values, context);
        const { mimeType } = definition;
        return text === undefined ? undefined : [{ uri, text, ...(mimeType && { mimeType }) }];
      },
      complete: completionOf(complete, handlers),
    };
  });
}

/** In one pass: what an argument brings along is text, whatever it looks like. */
function filled(text: string, args: TemplateValues): string {
  return text.replace(/\{(\w+)\}/g, (_place, name: string) => args[name] ?? '');
}

function completionOf<Handlers extends object>(
  complete: Completions<Handlers> = {},
  handlers: Handlers,
): Complete {
  return async (argument, value, _settled, context) => {
    const name = Object.hasOwn(complete, argument) ? complete[argument] : undefined;
    return name === undefined ? [] : (handlers[name] as Suggest)(value, context);
  };
}
