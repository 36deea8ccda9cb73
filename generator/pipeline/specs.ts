import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#contract/json';
import type { SchemaProfile } from '#contract/schema-profile';
import type { SearchWords } from '#contract/search';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { suggestion } from '../diagnostics/suggestion.ts';
import {
  type AuditEventsFile,
  type AuditEventsModel,
  planAuditEvents,
} from '../model/house/audit-events.ts';
import { type ClientsFile, planClientProfiles } from '../model/house/client-profiles.ts';
import { type ConfigFile, type ConfigModel, planConfig } from '../model/house/config-model.ts';
import { checkConfig } from '../model/house/config-rules.ts';
import { planSearchWords, type SynonymsFile } from '../model/house/search-words.ts';
import type { SkillModel } from '../model/house/skill-model.ts';
import { planSurface as planSurfaceModel } from '../model/house/surface.ts';
import type { SurfaceModel } from '../model/house/surface-model.ts';
import type { PromptsFile, ResourcesFile } from '../model/house/surface-offers.ts';
import type { ToolsFile } from '../model/house/surface-tools.ts';
import type { ProviderModel } from '../model/shape/provider-model.ts';
import type { Located } from '../model/texts/report.ts';
import { planProvider as planModel } from '../model/vendor/plan-provider.ts';
import { readApi } from '../read/read-api.ts';
import { type FileKind, readChecked } from '../read/text/checked-yaml.ts';
import { readYaml } from '../read/text/yaml-file.ts';
import { Memory } from './memory.ts';
import { readProviderFolder } from './provider-folder.ts';
import { readSkillFolder } from './skills.ts';

/** Everything under `specs/`, or one provider of it, planned. */
export interface PlannedSpecs {
  readonly config?: ConfigModel;
  readonly auditEvents?: AuditEventsModel;
  readonly searchWords?: SearchWords;
  readonly clientProfiles?: Readonly<Record<string, SchemaProfile>>;
  readonly surfaces: readonly SurfacePart[];
  readonly providers: readonly ProviderPart[];
  readonly skills: readonly SkillModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A folder of the specs, planned. */
export interface Part<Model> {
  readonly folder: string;
  /** Absent when the folder is beyond use. */
  readonly model?: Model;
  /** The file that lists the tools, for what is said about them later. */
  readonly toolsFile?: Located;
  readonly diagnostics: readonly Diagnostic[];
}

export type ProviderPart = Part<ProviderModel>;
export type SurfacePart = Part<SurfaceModel>;

/** The ids of the providers that have a folder, sorted by code unit. */
export function providerIds(base: string): string[] {
  return folderNames(base, 'specs/providers');
}

/** The ids of the surfaces that have a folder, sorted by code unit. */
export function surfaceIds(base: string): string[] {
  return folderNames(base, 'specs/surfaces');
}

/** Folders that are links: they are not followed, and must not vanish in silence either. */
function linkedFolders(base: string): Diagnostic[] {
  return ['specs/providers', 'specs/surfaces', 'specs/skills'].flatMap((folder) => {
    if (!existsSync(join(base, folder))) return [];
    const entries = readdirSync(join(base, folder), { withFileTypes: true });
    return entries.flatMap((entry) => {
      if (!entry.isSymbolicLink()) return [];
      const at = { file: `${folder}/${entry.name}`, line: 1, column: 1, pointer: '' };
      const message = 'this is a symbolic link, which is not followed';
      return [diagnose('SPEC001', at, message, { help: 'put the folder itself here' })];
    });
  });
}

function folderNames(base: string, folder: string): string[] {
  if (!existsSync(join(base, folder))) return [];
  const entries = readdirSync(join(base, folder), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** Read and plan everything, or only one provider. */
export async function planSpecs(
  base: string,
  memory = new Memory(),
  only?: string,
): Promise<PlannedSpecs> {
  const planProvider = (id: string) =>
    memory.recall(`specs/providers/${id}`, 'plan', () => planProviderFolder(base, id));
  const planSurface = (id: string) =>
    memory.recall(`specs/surfaces/${id}`, 'plan', () => planSurfaceFolder(base, id));
  if (only !== undefined) {
    const provider = await planProvider(only);
    return { surfaces: [], providers: [provider], skills: [], diagnostics: provider.diagnostics };
  }
  const config = planConfigFile(base);
  const auditEvents = planAuditEventsFile(base);
  const searchWords = planSearchWordsFile(base);
  const clientProfiles = planClientProfilesFile(base);
  const { presets, diagnostics } = readPresets(base);
  const surfaces = await inTurn(surfaceIds(base), planSurface);
  const providers = await inTurn(providerIds(base), async (id) =>
    withPresets(await planProvider(id), presets.get(id)),
  );
  const parts = [...surfaces, ...providers];
  const skills = folderNames(base, 'specs/skills').map((id) => readSkillFolder(base, id));
  return {
    ...(config.model && { config: config.model }),
    ...(auditEvents.model && { auditEvents: auditEvents.model }),
    ...(searchWords.model && { searchWords: searchWords.model }),
    ...(clientProfiles.model && { clientProfiles: clientProfiles.model }),
    surfaces,
    providers,
    skills: skills.flatMap(({ model }) => model ?? []),
    diagnostics: [
      ...linkedFolders(base),
      ...config.diagnostics,
      ...auditEvents.diagnostics,
      ...searchWords.diagnostics,
      ...clientProfiles.diagnostics,
      ...diagnostics,
      ...parts.flatMap((part) => part.diagnostics),
      ...skills.flatMap((skill) => skill.diagnostics),
      ...repeatedTools(parts),
    ],
  };
}

/** One after the other: planning is work for the processor, and less is held in memory. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  plan: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await plan(item));
  return results;
}

function withPresets(part: ProviderPart, listed: readonly string[] = []): ProviderPart {
  if (part.model === undefined) return part;
  const presets = [...new Set([...listed, ...part.model.presets])];
  return { ...part, model: { ...part.model, presets } };
}

/** Tool names are unique in the whole server, across providers and surfaces (P002). */
function repeatedTools(parts: readonly (ProviderPart | SurfacePart)[]): Diagnostic[] {
  const owners = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const { folder, model, toolsFile } of parts) {
    for (const { name, pointer } of model === undefined ? [] : listedTools(model)) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, folder);
      else if (owner !== folder && toolsFile !== undefined) {
        const at = { ...toolsFile.locate(`${pointer}/name`), pointer: `${pointer}/name` };
        diagnostics.push(diagnose('P002', at, `tool name "${name}" is already used in ${owner}`));
      }
    }
  }
  return diagnostics;
}

function listedTools({ tools }: ProviderModel | SurfaceModel) {
  return tools.map((tool) => ({
    name: 'definition' in tool ? tool.definition.name : tool.name,
    pointer: tool.pointer,
  }));
}

/** Read and plan one provider. */
export async function planProviderFolder(base: string, id: string): Promise<ProviderPart> {
  const folder = `specs/providers/${id}`;
  const { sources, diagnostics } = await readProviderFolder(folder, base);
  if (sources === undefined) return { folder, diagnostics };
  const { model, diagnostics: found } = planModel(sources);
  return {
    folder,
    model,
    toolsFile: sources.curationFile,
    diagnostics: [...diagnostics, ...found],
  };
}

/** Read and plan one surface. */
export async function planSurfaceFolder(base: string, id: string): Promise<SurfacePart> {
  const folder = `specs/surfaces/${id}`;
  const root = join(base, folder);
  const file = join(root, 'openapi.yaml');
  const read = existsSync(file) ? await readApi({ file, root, base }) : { diagnostics: [] };
  const own = <Content>(name: string, kind: FileKind) =>
    existsSync(join(root, name)) ? readChecked<Content>(join(root, name), base, kind) : undefined;
  const tools = own<ToolsFile>('tools.yaml', 'surface-tools');
  const prompts = own<PromptsFile>('prompts.yaml', 'surface-prompts');
  const resources = own<ResourcesFile>('resources.yaml', 'surface-resources');
  const { model, diagnostics } = planSurfaceModel({
    id,
    ...(read.document && { document: read.document }),
    ...(tools?.content && { tools: tools.content, toolsFile: tools.file }),
    ...(prompts && { prompts }),
    ...(resources && { resources }),
  });
  return {
    folder,
    model,
    ...(tools && { toolsFile: tools.file }),
    diagnostics: [...read.diagnostics, ...(tools?.diagnostics ?? []), ...diagnostics],
  };
}

/** Read and plan `specs/config.yaml`. */
export function planConfigFile(base: string): {
  model?: ConfigModel;
  diagnostics: readonly Diagnostic[];
} {
  const path = join(base, 'specs/config.yaml');
  if (!existsSync(path)) return { diagnostics: [] };
  const { file, content, diagnostics } = readChecked<ConfigFile>(path, base, 'config');
  if (content === undefined) return { diagnostics };
  const model = planConfig(content);
  return { model, diagnostics: [...diagnostics, ...checkConfig(model, file)] };
}

/** Read and plan `specs/events/audit.yaml`. */
export function planAuditEventsFile(base: string): {
  model?: AuditEventsModel;
  diagnostics: readonly Diagnostic[];
} {
  const path = join(base, 'specs/events/audit.yaml');
  if (!existsSync(path)) return { diagnostics: [] };
  const { content, diagnostics } = readChecked<AuditEventsFile>(path, base, 'audit-events');
  return content === undefined ? { diagnostics } : { model: planAuditEvents(content), diagnostics };
}

/** Read and plan `specs/search/synonyms.yaml`. */
export function planSearchWordsFile(base: string): {
  model?: SearchWords;
  diagnostics: readonly Diagnostic[];
} {
  const path = join(base, 'specs/search/synonyms.yaml');
  if (!existsSync(path)) return { diagnostics: [] };
  const { content, diagnostics } = readChecked<SynonymsFile>(path, base, 'search-synonyms');
  return content === undefined ? { diagnostics } : { model: planSearchWords(content), diagnostics };
}

/** Read and plan `specs/mcp/clients.yaml`. */
export function planClientProfilesFile(base: string): {
  model?: Readonly<Record<string, SchemaProfile>>;
  diagnostics: readonly Diagnostic[];
} {
  const path = join(base, 'specs/mcp/clients.yaml');
  if (!existsSync(path)) return { diagnostics: [] };
  const { content, diagnostics } = readChecked<ClientsFile>(path, base, 'mcp-clients');
  return content === undefined
    ? { diagnostics }
    : { model: planClientProfiles(content), diagnostics };
}

/** Which presets each provider is in, by its id, as `specs/providers/presets.yaml` says. */
export function readPresets(base: string): {
  presets: ReadonlyMap<string, readonly string[]>;
  diagnostics: readonly Diagnostic[];
} {
  const path = join(base, 'specs/providers/presets.yaml');
  const presets = new Map<string, string[]>();
  if (!existsSync(path)) return { presets, diagnostics: [] };
  const file = readYaml(path, base);
  const diagnostics = [...file.diagnostics];
  const ids = providerIds(base);
  const listed =
    isObject(file.value) && isObject(file.value['presets']) ? file.value['presets'] : {};
  for (const [preset, members] of Object.entries(listed)) {
    for (const [index, id] of (Array.isArray(members) ? members : []).entries()) {
      if (ids.includes(id)) presets.set(id, [...(presets.get(id) ?? []), preset]);
      else {
        const pointer = `/presets/${preset}/${index}`;
        const message = `preset "${preset}" names "${id}", which is no provider`;
        const at = { ...file.locate(pointer), pointer };
        diagnostics.push(diagnose('P025', at, message, { help: suggestion(String(id), ids) }));
      }
    }
  }
  return { presets, diagnostics };
}
