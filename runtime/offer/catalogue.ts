import { createHash } from 'node:crypto';
import type { SearchDocument } from '#contract/provider';
import type { Tool, ToolDefinition, ToolResult } from '#contract/tool';
import type { Admission } from '../admission/admission.ts';
import { withConfirmToken } from '../admission/confirm/confirm-token.ts';
import type { Run } from '../admission/steps/pipeline.ts';
import { StartError } from '../process/start-error.ts';
import { Changes } from './changes.ts';
import { type MirroredArgument, mirroredArguments } from './mirrored-arguments.ts';
import { type Page, type Pages, paginate } from './page.ts';

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
  /** How to use them, for the model. */
  readonly instructions: string;
}

/** A tool with admission in front of it. */
export interface CatalogueTool {
  readonly definition: ToolDefinition;
  readonly run: Run<ToolResult>;
  /** Arguments that headers repeat; absent where there are none. */
  readonly mirrored?: readonly MirroredArgument[];
}

export type ToolPage = Page<ToolDefinition>;

interface Entry {
  readonly load: () => Promise<Tool>;
  tool?: CatalogueTool;
}

/** Every tool that the server offers, by its name. */
export class Catalogue {
  readonly sources: ToolSource[];
  readonly changes: Changes;
  readonly #owners = new Map<string, string>();
  readonly #admission: Admission;
  readonly #entries = new Map<string, Entry>();
  #front: ToolFront | undefined;
  #pages: Promise<Pages<ToolDefinition>> | undefined;

  /** @throws StartError when two tools have the same name */
  constructor(sources: readonly ToolSource[], admission: Admission, changes = new Changes()) {
    this.sources = [];
    this.changes = changes;
    this.#admission = admission;
    for (const source of sources) this.#put(source);
  }

  get size(): number {
    return this.#entries.size;
  }

  get names(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /** The tools that alone are listed, where there are such. */
  get front(): ToolFront | undefined {
    return this.#front;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The tool called `name`, at once when it has been used before. */
  find(name: string): CatalogueTool | Promise<CatalogueTool> | undefined {
    const entry = this.#entries.get(name);
    return entry && (entry.tool ?? this.#load(name, entry));
  }

  /** Offer the tools of one more source from now on. */
  add(source: ToolSource): void {
    this.#put(source);
    if (this.#front) return;
    this.#pages = undefined;
    this.changes.emit('tools', undefined);
  }

  /** Offer the tools of `front`, and list no others from now on; those stay callable by their names. */
  putInFront(front: ToolFront): void {
    this.#put(front);
    this.#front = front;
    this.#pages = undefined;
    this.changes.emit('tools', undefined);
  }

  /** Load every tool, and find out that one of them cannot be offered. */
  async loadAll(): Promise<readonly CatalogueTool[]> {
    return Promise.all(
      [...this.#entries].map(([name, entry]) => entry.tool ?? this.#load(name, entry)),
    );
  }

  /** The page that `cursor` leads to, the first one without it; nothing when the list has changed. */
  async page(cursor?: string): Promise<ToolPage | undefined> {
    this.#pages ??= this.#paginate();
    try {
      return (await this.#pages).get(cursor);
    } catch (error) {
      this.#pages = undefined;
      throw error;
    }
  }

  #put(source: ToolSource): void {
    const { id, tools } = source;
    for (const [name, load] of tools) {
      const owner = this.#owners.get(name);
      if (owner !== undefined) {
        throw new StartError(`${owner} and ${id} both have a tool called ${name}`);
      }
      this.#owners.set(name, id);
      this.#entries.set(name, { load });
    }
    this.sources.push(source);
  }

  async #load(name: string, entry: Entry): Promise<CatalogueTool> {
    const tool = await entry.load();
    const definition = withConfirmToken(tool.definition);
    if (definition.name !== name)
      throw new Error(`the tool ${name} calls itself ${definition.name}`);
    const operation = tool.ask ? { ...definition, ask: tool.ask.bind(tool) } : definition;
    const mirrored = mirroredArguments(name, definition.input);
    entry.tool ??= {
      definition,
      run: this.#admission.admit(operation, tool.call.bind(tool)),
      ...(mirrored.length > 0 && { mirrored }),
    };
    return entry.tool;
  }

  async #paginate(): Promise<Pages<ToolDefinition>> {
    const all = (await this.loadAll()).map(({ definition }) => definition);
    const tools = this.#front ? listedBy(this.#front, all) : all;
    return paginate(tools, hashOf(tools));
  }
}

function listedBy(front: ToolFront, all: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const names = new Set(front.tools.map(([name]) => name));
  return all.filter(({ name }) => names.has(name));
}

function hashOf(tools: readonly ToolDefinition[]): string {
  const hash = createHash('sha256');
  for (const { name, title, description, annotations, input, output } of tools) {
    hash.update(JSON.stringify([name, title, description, annotations, input, output]));
  }
  return hash.digest('base64url').slice(0, 22);
}
