import { createHash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import type {
  Resource,
  ResourceContents,
  ResourceDefinition,
  ResourceTemplate,
  ResourceTemplateDefinition,
  TemplateValues,
} from '#contract/resource';
import type { Admission } from './admission/admission.ts';
import type { Run } from './admission/pipeline.ts';
import { Changes } from './changes.ts';
import { type Page, type Pages, paginate } from './page.ts';
import { StartError } from './start-error.ts';

/** What has resources to offer. */
export interface ResourceSource {
  readonly id: string;
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
}

type Contents = readonly ResourceContents[] | undefined;

/** Reads one resource through admission; nothing when it does not exist after all. */
export type ReadResource = (context: CallContext) => Promise<Contents>;

interface OfferedTemplate {
  readonly template: ResourceTemplate;
  readonly pattern: RegExp;
  readonly run: Run<Contents>;
}

/** Every resource and every template that the server offers. */
export class Resources {
  readonly #resources = new Map<string, { definition: ResourceDefinition; read: ReadResource }>();
  readonly #templates = new Map<string, OfferedTemplate>();
  readonly #pages: Pages<ResourceDefinition>;
  readonly #templatePages: Pages<ResourceTemplateDefinition>;
  readonly changes: Changes;

  /** @throws StartError when a URI is offered twice */
  constructor(sources: readonly ResourceSource[], admission: Admission, changes = new Changes()) {
    this.changes = changes;
    for (const { id, resources = [], resourceTemplates = [] } of sources) {
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
    }
    this.#pages = pagesOf([...this.#resources.values()].map(({ definition }) => definition));
    this.#templatePages = pagesOf(
      [...this.#templates.values()].map(({ template }) => template.definition),
    );
  }

  get size(): number {
    return this.#resources.size + this.#templates.size;
  }

  page(cursor?: string): Page<ResourceDefinition> | undefined {
    return this.#pages.get(cursor);
  }

  templatePage(cursor?: string): Page<ResourceTemplateDefinition> | undefined {
    return this.#templatePages.get(cursor);
  }

  template(uriTemplate: string): ResourceTemplate | undefined {
    return this.#templates.get(uriTemplate)?.template;
  }

  /** What reads `uri`: the resource of that name, else the first template that it fits. */
  find(uri: string): ReadResource | undefined {
    const resource = this.#resources.get(uri);
    if (resource) return resource.read;
    for (const { pattern, run } of this.#templates.values()) {
      const values = valuesIn(uri, pattern);
      if (values !== undefined) return (context) => run({ ...values, uri }, context);
    }
    return undefined;
  }

  #requireFree(uri: string, id: string): void {
    if (!this.#resources.has(uri) && !this.#templates.has(uri)) return;
    throw new StartError(`${id} offers ${uri}, which another one offers already`);
  }
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
