import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { WholeInput } from '#contract/operation';
import type { SearchDocument } from '#contract/provider';
import { defaultTenant } from '#contract/tenant/tenants';
import type { Tool, ToolDefinition, ToolResult } from '#contract/tool';
import type { Admission } from '../admission/admission.ts';
import { wholeWithToken, withConfirmToken } from '../admission/confirm/confirm-token.ts';
import type { Run } from '../admission/steps/pipeline.ts';
import { Changes } from './changes.ts';
import { lackedScopes } from './lacked-scopes.ts';
import { type MirroredArgument, mirroredArguments } from './mirrored-arguments.ts';
import { OfferedList } from './offered-list.ts';
import type { Page } from './page.ts';
import { type TenantSources, undivided } from './tenant-sources.ts';

/** Where tools come from: a vendor or a surface. */
export interface ToolSource {
  readonly id: string;
  readonly title: string;
  /** The names of its tools in their order, each with what loads the tool on first use. */
  readonly tools: readonly (readonly [name: string, load: () => Promise<Tool>])[];
  /** What a search over them reads; without it, the tools are loaded for that. */
  readonly documents?: () => Promise<readonly SearchDocument[]>;
}

/** Tools that are in memory already. */
export function toolsInMemory(tools: readonly Tool[]): ToolSource['tools'] {
  return tools.map((tool) => [tool.definition.name, async () => tool]);
}

/** Tools that lead to all others, which need not be listed then. */
export interface ToolFront extends ToolSource {
  /** How a tenant uses them, for the model. */
  readonly instructions: (tenant: string) => string;
}

/** A tool with admission in front of it. */
export interface CatalogueTool {
  readonly definition: ToolDefinition;
  readonly run: Run<ToolResult>;
  /** What arguments are held to, where the schema that clients are shown had to be cut. */
  readonly wholeInput?: WholeInput;
  /** Arguments that headers repeat; absent where there are none. */
  readonly mirrored?: readonly MirroredArgument[];
}

export type ToolPage = Page<ToolDefinition>;

interface Entry {
  readonly name: string;
  readonly source: string;
  readonly load: () => Promise<Tool>;
  tool?: CatalogueTool;
}

/** Every tool that the server offers, by its name. */
export class Catalogue {
  readonly sources: ToolSource[] = [];
  readonly changes: Changes;
  readonly #admission: Admission;
  readonly #tenants: TenantSources;
  readonly #list: OfferedList<Entry, ToolDefinition>;
  #front: ToolFront | undefined;

  /** @throws StartError when two tools have the same name */
  constructor(
    sources: readonly ToolSource[],
    admission: Admission,
    changes = new Changes(),
    tenants: TenantSources = undivided,
  ) {
    this.changes = changes;
    this.#admission = admission;
    this.#tenants = tenants;
    this.#list = new OfferedList({
      kind: 'tool',
      accessOf: ({ access }) => access,
      items: () => this.#listed(),
      shown: ({ name, title, description, annotations, input, output, lacks, price }) => {
        return [name, title, description, annotations, input, output, lacks, price];
      },
      isIn: ({ name }, view) => tenants.isIn(view, this.#list.find(name)?.source ?? ''),
      marked: (definition, lacks) => ({ ...definition, lacks }),
      tell: () => changes.emit('tools', undefined),
    });
    for (const source of sources) this.#put(source);
  }

  get size(): number {
    return this.#list.size;
  }

  /** The names of all that a tenant has, listed or not. */
  names(tenant = defaultTenant): Iterable<string> {
    if (!this.#tenants.areParted) return this.#list.names;
    return Array.from(this.#list.names).filter((name) => this.has(name, tenant));
  }

  /** The sources that a tenant has. */
  sourcesOf(tenant: string): readonly ToolSource[] {
    return this.sources.filter(({ id }) => this.#tenants.has(tenant, id));
  }

  /** The tools that alone are listed, where there are such. */
  get front(): ToolFront | undefined {
    return this.#front;
  }

  has(name: string, tenant = defaultTenant): boolean {
    const entry = this.#list.find(name);
    return entry !== undefined && this.#tenants.has(tenant, entry.source);
  }

  /** The tool called `name` where a tenant has it, at once when it has been used before. */
  find(name: string, tenant = defaultTenant): CatalogueTool | Promise<CatalogueTool> | undefined {
    const entry = this.#list.find(name);
    if (entry === undefined || !this.#tenants.has(tenant, entry.source)) return undefined;
    return entry.tool ?? this.#load(entry);
  }

  /** Offer the tools of one more source from now on. */
  add(source: ToolSource): void {
    this.#put(source);
    if (!this.#front) this.#list.changed();
  }

  /** Offer the tools of `front`, and list no others from now on; those stay callable by their names. */
  putInFront(front: ToolFront): void {
    this.#put(front);
    this.#front = front;
    this.#list.changed();
  }

  /** Load every tool, and find out that one of them cannot be offered. */
  async loadAll(): Promise<readonly CatalogueTool[]> {
    return Promise.all(Array.from(this.#list.things, (entry) => entry.tool ?? this.#load(entry)));
  }

  /** The page that `cursor` leads to, of the tools that a caller may use or could be given. */
  page(cursor?: string, caller?: Caller): Promise<ToolPage | undefined> {
    const view = caller && this.#tenants.view(caller.tenant);
    const grantable = caller && this.#admission.grantable(caller);
    return this.#list.page(cursor, caller?.scopes, grantable, view);
  }

  /** A tool as a caller sees it, marked where it lacks scopes; nothing where it never can use it. */
  seenBy(caller: Caller, definition: ToolDefinition): ToolDefinition | undefined {
    const { scopes, tenant } = caller;
    if (!this.has(definition.name, tenant)) return undefined;
    const lacks = lackedScopes(definition.access, scopes, this.#admission.grantable(caller));
    return lacks?.length === 0 ? definition : lacks && { ...definition, lacks };
  }

  #put(source: ToolSource): void {
    for (const [name, load] of source.tools) {
      this.#list.put(name, { name, load, source: source.id }, source.id);
    }
    this.sources.push(source);
  }

  async #load(entry: Entry): Promise<CatalogueTool> {
    const { name, load } = entry;
    const tool = await load();
    const definition = withConfirmToken(tool.definition);
    if (definition.name !== name)
      throw new Error(`the tool ${name} calls itself ${definition.name}`);
    const whole = wholeWithToken(tool);
    const operation = {
      ...definition,
      ...(whole && { wholeInput: whole }),
      ...(tool.ask && { ask: tool.ask.bind(tool) }),
    };
    const mirrored = mirroredArguments(name, definition.input);
    entry.tool ??= {
      definition,
      run: this.#partedRun(entry, this.#admission.admit(operation, tool.call.bind(tool))),
      ...(whole && { wholeInput: whole }),
      ...(mirrored.length > 0 && { mirrored }),
    };
    return entry.tool;
  }

  /** Whoever has come by a tool in whatever way: nobody calls what its tenant has not. */
  #partedRun({ name, source }: Entry, run: Run<ToolResult>): Run<ToolResult> {
    if (!this.#tenants.areParted) return run;
    return (input, context) => {
      if (this.#tenants.has(context.caller.tenant, source)) return run(input, context);
      throw new ServiceError('not_found', 404, `there is no tool called ${JSON.stringify(name)}`);
    };
  }

  async #listed(): Promise<readonly ToolDefinition[]> {
    const all = (await this.loadAll()).map(({ definition }) => definition);
    if (!this.#front) return all;
    const leading = new Set(this.#front.tools.map(([name]) => name));
    return all.filter(({ name }) => leading.has(name));
  }
}
