import { createHash } from 'node:crypto';
import type { Tool, ToolDefinition, ToolResult } from '#contract/tool';
import type { Admission } from './admission/admission.ts';
import type { Run } from './admission/pipeline.ts';
import { StartError } from './start-error.ts';

/** Where tools come from: a vendor or a surface. */
export interface ToolSource {
  readonly id: string;
  readonly title: string;
  /** The names of its tools in their order, each with what loads the tool on first use. */
  readonly tools: readonly (readonly [name: string, load: () => Promise<Tool>])[];
}

/** Tools that are in memory already. */
export function toolsInMemory(tools: readonly Tool[]): ToolSource['tools'] {
  return tools.map((tool) => [tool.definition.name, async () => tool]);
}

/** A tool with admission in front of it. */
export interface CatalogueTool {
  readonly definition: ToolDefinition;
  readonly run: Run<ToolResult>;
}

/** How long and by whom an answer may be kept (MCP 2026-07-28, caching). */
export interface CachePolicy {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** A part of the list of tools. The same page is always the same object. */
export interface ToolPage {
  readonly tools: readonly ToolDefinition[];
  /** Identifies the whole list, of which this is a part. */
  readonly catalogHash: string;
  readonly nextCursor?: string;
  readonly cache: CachePolicy;
}

interface Entry {
  readonly load: () => Promise<Tool>;
  tool?: CatalogueTool;
}

const pageSize = 200;

/** Every caller sees the same list. */
const cache: CachePolicy = { ttlMs: 300_000, scope: 'public' };

/** Every tool that the server offers, by its name. */
export class Catalogue {
  readonly sources: readonly ToolSource[];
  readonly #admission: Admission;
  readonly #entries = new Map<string, Entry>();
  #pages: Promise<ReadonlyMap<string | undefined, ToolPage>> | undefined;

  /** @throws StartError when two tools have the same name */
  constructor(sources: readonly ToolSource[], admission: Admission) {
    this.sources = sources;
    this.#admission = admission;
    const owners = new Map<string, string>();
    for (const { id, tools } of sources) {
      for (const [name, load] of tools) {
        const owner = owners.get(name);
        if (owner !== undefined) {
          throw new StartError(`${owner} and ${id} both have a tool called ${name}`);
        }
        owners.set(name, id);
        this.#entries.set(name, { load });
      }
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  get names(): IterableIterator<string> {
    return this.#entries.keys();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The tool called `name`, at once when it has been used before. */
  find(name: string): CatalogueTool | Promise<CatalogueTool> | undefined {
    const entry = this.#entries.get(name);
    return entry && (entry.tool ?? this.#load(name, entry));
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

  async #load(name: string, entry: Entry): Promise<CatalogueTool> {
    const tool = await entry.load();
    const { definition } = tool;
    if (definition.name !== name)
      throw new Error(`the tool ${name} calls itself ${definition.name}`);
    entry.tool ??= { definition, run: this.#admission.admit(definition, tool.call.bind(tool)) };
    return entry.tool;
  }

  /** The pages by the cursors that lead to them. */
  async #paginate(): Promise<ReadonlyMap<string | undefined, ToolPage>> {
    const tools = (await this.loadAll()).map(({ definition }) => definition);
    const catalogHash = hashOf(tools);
    const pages = new Map<string | undefined, ToolPage>();
    let cursor: string | undefined;
    for (let start = 0; start === 0 || start < tools.length; start += pageSize) {
      const end = start + pageSize;
      const page = { tools: tools.slice(start, end), catalogHash, cache };
      const nextCursor = end < tools.length ? cursorAt(catalogHash, end) : undefined;
      pages.set(cursor, nextCursor === undefined ? page : { ...page, nextCursor });
      cursor = nextCursor;
    }
    return pages;
  }
}

function hashOf(tools: readonly ToolDefinition[]): string {
  const hash = createHash('sha256');
  for (const { name, title, description, annotations, input, output } of tools) {
    hash.update(JSON.stringify([name, title, description, annotations, input, output]));
  }
  return hash.digest('base64url').slice(0, 22);
}

function cursorAt(catalogHash: string, offset: number): string {
  return Buffer.from(JSON.stringify({ catalogHash, offset })).toString('base64url');
}
