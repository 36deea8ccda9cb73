import type { CallContext, Caller } from '#contract/caller';
import type { Access } from '#contract/operation';
import type {
  Resource,
  ResourceContents,
  ResourceDefinition,
  ResourceTemplate,
  ResourceTemplateDefinition,
  TemplateValues,
} from '#contract/resource';
import type { Admission } from '../admission/admission.ts';
import type { Run } from '../admission/steps/pipeline.ts';
import { OfferedList } from './offered-list.ts';
import type { Page } from './page.ts';
import { type TenantSources, undivided } from './tenant-sources.ts';

/** What has resources to offer. */
export interface ResourceSource {
  readonly id: string;
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
  readonly library?: Library;
}

/** Many resources that are loaded when somebody asks for the first of them. */
export interface Library {
  /** How the URIs of all of them begin. */
  readonly prefix: string;
  readonly access: Access;
  find(uri: string, caller?: Caller): Promise<Resource | undefined>;
  /** Whether one of those that are listed is in a view of tenants. */
  isIn(uri: string, view: string): boolean;
  /** Those that a list shows; the others are found through them. */
  listed(): Promise<readonly ResourceDefinition[]>;
}

type Contents = readonly ResourceContents[] | undefined;

/** Reads one resource through admission; nothing when it does not exist after all. */
export type ReadResource = (context: CallContext) => Promise<Contents>;

interface OfferedResource {
  readonly definition: ResourceDefinition;
  readonly read: ReadResource;
}

interface OfferedTemplate {
  readonly template: ResourceTemplate;
  readonly pattern: RegExp;
  readonly run: Run<Contents>;
}

interface OfferedLibrary {
  readonly library: Library;
  readonly run: Run<Contents>;
}

/** Every resource and every template that the server offers. */
export class Resources {
  readonly #tenants: Pick<TenantSources, 'view'>;
  readonly #resources: OfferedList<OfferedResource, ResourceDefinition>;
  readonly #templates: OfferedList<OfferedTemplate, ResourceTemplateDefinition>;
  readonly #libraries: OfferedLibrary[] = [];

  /** @throws StartError when a URI is offered twice */
  constructor(
    sources: readonly ResourceSource[],
    admission: Admission,
    tenants: Pick<TenantSources, 'view'> = undivided,
  ) {
    this.#tenants = tenants;
    const kind = 'resource';
    const accessOf = ({ access }: { readonly access: Access }) => access;
    const owners = new Map<string, string>();
    const resourceItems = async (things: Iterable<OfferedResource>) => [
      ...Array.from(things, ({ definition }) => definition),
      ...(await Promise.all(this.#libraries.map(({ library }) => library.listed()))).flat(),
    ];
    const templateItems = (things: Iterable<OfferedTemplate>) =>
      Array.from(things, ({ template }) => template.definition);
    this.#resources = new OfferedList<OfferedResource, ResourceDefinition>(
      {
        ...{ kind, accessOf, items: resourceItems },
        isIn: ({ uri }, view) => this.#shelfOf(uri)?.library.isIn(uri, view) ?? true,
      },
      owners,
    );
    this.#templates = new OfferedList<OfferedTemplate, ResourceTemplateDefinition>(
      { kind, accessOf, items: templateItems },
      owners,
    );
    for (const { id, resources = [], resourceTemplates = [], library } of sources) {
      for (const { definition, read } of resources) {
        const { uri, access } = definition;
        const run = admission.admit({ name: uri, access }, (_input, context) => read(context));
        this.#resources.put(uri, { definition, read: (context) => run({}, context) }, id);
      }
      for (const template of resourceTemplates) {
        const { uriTemplate } = template.definition;
        this.#templates.put(uriTemplate, offeredTemplate(template, admission), id);
      }
      if (library) this.#libraries.push(offeredLibrary(library, admission));
    }
  }

  get size(): number {
    return this.#resources.size + this.#templates.size + this.#libraries.length;
  }

  page(
    cursor?: string,
    caller?: Pick<Caller, 'tenant' | 'scopes'>,
  ): Promise<Page<ResourceDefinition> | undefined> {
    const view = caller && this.#tenants.view(caller.tenant);
    return this.#resources.page(cursor, caller?.scopes, undefined, view);
  }

  templatePage(
    cursor?: string,
    scopes?: Caller['scopes'],
  ): Promise<Page<ResourceTemplateDefinition> | undefined> {
    return this.#templates.page(cursor, scopes);
  }

  template(uriTemplate: string): ResourceTemplate | undefined {
    return this.#templates.find(uriTemplate)?.template;
  }

  /** What reads `uri`: the resource of that name, else the first library or template that it fits. */
  find(uri: string): ReadResource | undefined {
    const resource = this.#resources.find(uri);
    if (resource) return resource.read;
    const shelf = this.#shelfOf(uri);
    if (shelf) return (context) => shelf.run({ uri }, context);
    for (const { pattern, run } of this.#templates.things) {
      const values = valuesIn(uri, pattern);
      if (values !== undefined) return (context) => run({ ...values, uri }, context);
    }
    return undefined;
  }

  #shelfOf(uri: string): OfferedLibrary | undefined {
    return this.#libraries.find(({ library }) => uri.startsWith(library.prefix));
  }
}

function offeredTemplate(template: ResourceTemplate, admission: Admission): OfferedTemplate {
  const { uriTemplate, access } = template.definition;
  const run = admission.admit({ name: uriTemplate, access }, ({ uri, ...values }, context) =>
    // Taken out of the URI: all of them are strings.
    template.read(values as TemplateValues, String(uri), context),
  );
  return { template, pattern: patternOf(uriTemplate), run };
}

function offeredLibrary(library: Library, admission: Admission): OfferedLibrary {
  const { prefix: name, access } = library;
  const run = admission.admit({ name, access }, async ({ uri }, context) => {
    const resource = await library.find(String(uri), context.caller);
    return resource?.read(context);
  });
  return { library, run };
}

/** A template as a pattern: RFC 6570 level 1, each expression stands for one path segment. */
function patternOf(uriTemplate: string): RegExp {
  const parts = uriTemplate.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 1 ? `(?<${part}>[^/?#]+)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 'u');
}

function valuesIn(uri: string, pattern: RegExp): TemplateValues | undefined {
  const match = pattern.exec(uri);
  if (!match) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return undefined;
  }
}
