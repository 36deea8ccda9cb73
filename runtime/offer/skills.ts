import { readFile } from 'node:fs/promises';
import type { Caller } from '#contract/caller';
import type { Resource, ResourceDefinition } from '#contract/resource';
import type { LazySkill, Skill, SkillFile } from '#contract/skill';
import { defaultTenant } from '#contract/tenant/tenants';
import { Remembered } from '../process/remembered.ts';
import { OfferedList } from './offered-list.ts';
import { type Page, type Pages, paginate } from './page.ts';
import type { Library } from './resources.ts';
import { type TenantSources, undivided } from './tenant-sources.ts';

/** A skill, and the source of the tools that it is about. */
export interface OfferedSkill {
  readonly source: string;
  readonly load: LazySkill;
}

/** Who asks for skills. */
type Asker = Pick<Caller, 'tenant' | 'scopes'>;

/** A skill as a client sees it (MCP, Skills extension). */
export interface SkillEntry {
  readonly uri: string;
  readonly frontmatter: Skill['frontmatter'];
  readonly resources: readonly Pick<ResourceDefinition & SkillFile, 'uri' | 'digest' | 'size'>[];
}

/** The beginning of every URI of a file of a skill. */
const skillScheme = 'skill://';

const access = ['mcp.tools'];

/** Every skill that the server offers; nothing of them is loaded before somebody asks for one. */
export class Skills {
  readonly #loaders: readonly OfferedSkill[];
  readonly #tenants: TenantSources;
  /** One for each view of tenants. */
  readonly #shelves = new Map<string, Remembered<Shelf>>();
  /** Of the skills that are loaded, by the URI at which each begins. */
  readonly #sources = new Map<string, string>();

  constructor(loaders: readonly OfferedSkill[], tenants: TenantSources = undivided) {
    this.#loaders = loaders;
    this.#tenants = tenants;
  }

  async page(cursor?: string, caller?: Asker): Promise<Page<SkillEntry> | undefined> {
    return (await this.#shelfOf(caller)).skills.page(cursor, caller?.scopes);
  }

  /** The skill whose SKILL.md has this URI. */
  async find(uri: string, caller?: Asker): Promise<SkillEntry | undefined> {
    return (await this.#shelfOf(caller)).skills.find(uri);
  }

  /** What stands directly in a folder of a skill; nothing when there is no such folder. */
  async folder(uri: string, caller?: Asker): Promise<Pages<ResourceDefinition> | undefined> {
    return (await this.#shelfOf(caller)).folders.get(uri);
  }

  /** One file of a skill. */
  async file(uri: string, caller?: Asker): Promise<Resource | undefined> {
    return (await this.#shelfOf(caller)).files.get(uri);
  }

  /** Where each skill begins, of all that there are. */
  async manifests(): Promise<readonly ResourceDefinition[]> {
    const { skills, files } = await this.#shelfOf(undefined);
    return Array.from(skills.names).flatMap((uri) => files.get(uri)?.definition ?? []);
  }

  /** Whether a skill that is loaded is in a view. */
  isIn(uri: string, view: string): boolean {
    return this.#tenants.isIn(view, this.#sources.get(uri) ?? '');
  }

  #shelfOf(caller: Asker | undefined): Promise<Shelf> {
    const view = this.#tenants.view(caller?.tenant ?? defaultTenant);
    const known = this.#shelves.get(view);
    if (known) return known.get();
    const loaders = this.#loaders.filter(({ source }) => this.#tenants.isIn(view, source));
    const shelf = new Remembered(async () => {
      const skills = await Promise.all(loaders.map(({ load }) => load()));
      for (const [index, skill] of skills.entries()) {
        this.#sources.set(manifestOf(skill), loaders[index]?.source ?? '');
      }
      return shelve(skills);
    });
    this.#shelves.set(view, shelf);
    return shelf.get();
  }
}

/** The files of skills as resources; a list shows only where each skill begins. */
export function skillLibrary(skills: Skills): Library {
  return {
    prefix: skillScheme,
    access,
    find: (uri, caller) => skills.file(uri, caller),
    listed: () => skills.manifests(),
    isIn: (uri, view) => skills.isIn(uri, view),
  };
}

/** What is known of all skills once they are loaded. */
interface Shelf {
  readonly skills: OfferedList<SkillEntry, SkillEntry>;
  readonly files: ReadonlyMap<string, Resource>;
  readonly folders: ReadonlyMap<string, Pages<ResourceDefinition>>;
}

function shelve(loaded: readonly Skill[]): Shelf {
  const skills = new OfferedList<SkillEntry, SkillEntry>({
    kind: 'skill',
    accessOf: () => access,
    items: (entries) => [...entries],
  });
  for (const skill of loaded) {
    const entry = entryOf(skill);
    skills.put(entry.uri, entry, skill.frontmatter.name);
  }
  const files = loaded.flatMap((skill) => skill.files.map((file) => resourceOf(skill, file)));
  const folders = foldersOf(files.map(({ definition }) => definition));
  return {
    skills,
    files: new Map(files.map((file) => [file.definition.uri, file])),
    folders: new Map([...folders].map(([uri, held]) => [uri, paginate(held)])),
  };
}

function entryOf(skill: Skill): SkillEntry {
  const resources = skill.files.map((file) => {
    const { digest, size } = file;
    return { uri: uriOf(skill, file), digest, size };
  });
  return { uri: manifestOf(skill), frontmatter: skill.frontmatter, resources };
}

function resourceOf(skill: Skill, file: SkillFile): Resource {
  const uri = uriOf(skill, file);
  const mimeType = 'text/markdown';
  const { name, description } = skill.frontmatter;
  const about =
    file.path === 'SKILL.md'
      ? { name, description }
      : { name: uri.slice(uri.lastIndexOf('/') + 1) };
  return {
    definition: { uri, ...about, mimeType, size: file.size, access },
    read: async () => {
      const text = await readFile(new URL(encodedPath(file), skill.folder), 'utf8');
      return [{ uri, mimeType, text }];
    },
  };
}

/** What stands in each folder: its files and the folders below it. */
function foldersOf(
  files: readonly ResourceDefinition[],
): ReadonlyMap<string, readonly ResourceDefinition[]> {
  const folders = new Map<string, Map<string, ResourceDefinition>>();
  for (const file of files) {
    let child = file;
    for (let end = folderEnd(child.uri); end > 0; end = folderEnd(child.uri)) {
      const uri = child.uri.slice(0, end);
      const held = folders.get(uri) ?? new Map<string, ResourceDefinition>();
      folders.set(uri, held.set(child.uri, child));
      const name = uri.slice(uri.lastIndexOf('/') + 1);
      child = { uri, name, mimeType: 'inode/directory', access };
    }
  }
  return new Map([...folders].map(([uri, held]) => [uri, [...held.values()]]));
}

/** Where the URI of the folder ends that something stands in; 0 where that is no folder of a skill. */
function folderEnd(uri: string): number {
  const end = uri.lastIndexOf('/');
  return end < skillScheme.length ? 0 : end;
}

function manifestOf(skill: Skill): string {
  return `${rootOf(skill)}/SKILL.md`;
}

function rootOf({ frontmatter }: Skill): string {
  return skillScheme + frontmatter.name;
}

function uriOf(skill: Skill, file: SkillFile): string {
  return `${rootOf(skill)}/${encodedPath(file)}`;
}

function encodedPath({ path }: SkillFile): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
