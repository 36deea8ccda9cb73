import { readFile } from 'node:fs/promises';
import type { Caller } from '#contract/caller';
import type { Resource, ResourceDefinition } from '#contract/resource';
import type { LazySkill, Skill, SkillFile } from '#contract/skill';
import { Remembered } from '../process/remembered.ts';
import { OfferedList } from './offered-list.ts';
import { type Page, type Pages, paginate } from './page.ts';
import type { Library } from './resources.ts';

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
  readonly #shelf: Remembered<Shelf>;

  constructor(loaders: readonly LazySkill[]) {
    this.#shelf = new Remembered(async () =>
      shelve(await Promise.all(loaders.map((load) => load()))),
    );
  }

  async page(cursor?: string, scopes?: Caller['scopes']): Promise<Page<SkillEntry> | undefined> {
    return (await this.#shelf.get()).skills.page(cursor, scopes);
  }

  /** The skill whose SKILL.md has this URI. */
  async find(uri: string): Promise<SkillEntry | undefined> {
    return (await this.#shelf.get()).skills.find(uri);
  }

  /** What stands directly in a folder of a skill; nothing when there is no such folder. */
  async folder(uri: string): Promise<Pages<ResourceDefinition> | undefined> {
    return (await this.#shelf.get()).folders.get(uri);
  }

  /** One file of a skill. */
  async file(uri: string): Promise<Resource | undefined> {
    return (await this.#shelf.get()).files.get(uri);
  }

  /** Where each skill begins. */
  async manifests(): Promise<readonly ResourceDefinition[]> {
    const { skills, files } = await this.#shelf.get();
    return Array.from(skills.names).flatMap((uri) => files.get(uri)?.definition ?? []);
  }
}

/** The files of skills as resources; a list shows only where each skill begins. */
export function skillLibrary(skills: Skills): Library {
  return {
    prefix: skillScheme,
    access,
    find: (uri) => skills.file(uri),
    listed: () => skills.manifests(),
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
  const uri = `${rootOf(skill)}/SKILL.md`;
  return { uri, frontmatter: skill.frontmatter, resources };
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

function rootOf({ frontmatter }: Skill): string {
  return skillScheme + frontmatter.name;
}

function uriOf(skill: Skill, file: SkillFile): string {
  return `${rootOf(skill)}/${encodedPath(file)}`;
}

function encodedPath({ path }: SkillFile): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
