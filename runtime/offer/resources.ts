import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
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
import { StartError } from '../process/start-error.ts';
import { Changes } from './changes.ts';
import { type Page, type Pages, paginate } from './page.ts';

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
  find(uri: string): Promise<Resource | undefined>;
  /** Those that a list shows; the others are found through them. */
  listed(): Promise<readonly ResourceDefinition[]>;
}

type Contents = readonly ResourceContents[] | undefined;

/** Reads one resource through admission; nothing when it does not exist after all. */
export type ReadResource = (context: CallContext) => Promise<Contents>;

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
  readonly #resources = new Map<string, { definition: ResourceDefinition; read: ReadResource }>();
  readonly #templates = new Map<string, OfferedTemplate>();
  readonly #libraries: OfferedLibrary[] = [];
  #pages: Promise<Pages<ResourceDefinition>> | undefined;
  readonly #templatePages: Pages<ResourceTemplateDefinition>;
  readonly changes: Changes;

  /** @throws StartError when a URI is offered twice */
  constructor(sources: readonly ResourceSource[], admission: Admission, changes = new Changes()) {
    this.changes = changes;
    for (const { id, resources = [], resourceTemplates = [], library } of sources) {
      for (const { definition, read } of resources) {
        this.#requireFree(definition.uri, id);
        const { uri, access } = definition;
        const run = admission.admit({ name: uri, access }, (_input, context) => read(context));
        this.#resources.set(uri, { definition, read: (context) => run({}, context) });
      }
      for (const template of resourceTemplates) {
        const { uriTemplate, access } = template.definition;
        this.#requireFree(uriTemplate, id);
        const run = admission.admit({ name: uriTemplate, access }, ({ uri, ...values }, context) =>
          // Taken out of the URI: all of them are strings.
          template.read(values as TemplateValues, String(uri), context),
        );
        this.#templates.set(uriTemplate, { template, pattern: patternOf(uriTemplate), run });
      }
      if (library) this.#libraries.push(offeredLibrary(library, admission));
    }
    this.#templatePages = pagesOf(
      [...this.#templates.values()].map(({ template }) => template.definition),
    );
  }

  get size(): number {
    return this.#resources.size + this.#templates.size + this.#libraries.length;
  }

  async page(cursor?: string): Promise<Page<ResourceDefinition> | undefined> {
    this.#pages ??= this.#paginate();
    try {
      return (await this.#pages).get(cursor);
    } catch (error) {
      this.#pages = undefined;
      throw error;
    }
  }

  templatePage(cursor?: string): Page<ResourceTemplateDefinition> | undefined {
    return this.#templatePages.get(cursor);
  }

  template(uriTemplate: string): ResourceTemplate | undefined {
    return this.#templates.get(uriTemplate)?.template;
  }

  /** What reads `uri`: the resource of that name, else the first library or template that it fits. */
  find(uri: string): ReadResource | undefined {
    const resource = this.#resources.get(uri);
    if (resource) return resource.read;
    const shelf = this.#libraries.find(({ library }) => uri.startsWith(library.prefix));
    if (shelf) return (context) => shelf.run({ uri }, context);
    for (const { pattern, run } of this.#templates.values()) {
      const values = valuesIn(uri, pattern);
      if (values !== undefined) return (context) => run({ ...values, uri }, context);
    }
    return undefined;
  }

  async #paginate(): Promise<Pages<ResourceDefinition>> {
    const own = [...this.#resources.values()].map(({ definition }) => definition);
    const shelves = await Promise.all(this.#libraries.map(({ library }) => library.listed()));
    return pagesOf([...own, ...shelves.flat()]);
  }

  #requireFree(uri: string, id: string): void {
    if (!this.#resources.has(uri) && !this.#templates.has(uri)) return;
    throw new StartError(`${id} offers ${uri}, which another one offers already`);
  }
}

function offeredLibrary(library: Library, admission: Admission): OfferedLibrary {
  const { prefix: name, access } = library;
  const run = admission.admit({ name, access }, async ({ uri }, context) => {
    const resource = await library.find(String(uri));
    return resource?.read(context);
  });
  return { library, run };
}

function pagesOf<Item extends object>(items: readonly Item[]): Pages<Item> {
  const listHash = createHash('sha256').update(JSON.stringify(items)).digest('base64url');
  return paginate(items, listHash.slice(0, 22));
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
