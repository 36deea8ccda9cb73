import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import type { EmittedFile } from '../emit/print/emitted-file.ts';
import { type Drift, findDrift } from '../write/drift.ts';
import { checkPaths } from '../write/emitted-paths.ts';
import { hashInputs } from '../write/input-hashes.ts';
import {
  byPath,
  createManifest,
  type Manifest,
  manifestPath,
  printManifest,
  readManifest,
} from '../write/manifest.ts';
import { type Written, writeFiles } from '../write/write.ts';
import { planLocks } from './locks.ts';
import { Memory } from './memory.ts';
import { type PlannedSpecs, planSpecs } from './specs.ts';

export interface GenerateOptions {
  /** The folder that holds `specs/` and `generated/`. */
  readonly base: string;
  /** Compare instead of writing. */
  readonly check?: boolean;
  /** Let published tools change in ways that break callers. */
  readonly accept?: boolean;
  /** Only this provider; what is made from all of them stays as it is. */
  readonly provider?: string;
  /** What earlier runs of the same process have made. */
  readonly memory?: Memory;
}

/** What one run has found and done. */
export interface GenerateResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly providers: number;
  readonly tools: number;
  /** The only provider that was looked at. */
  readonly only?: string;
  /** Present where files were written. */
  readonly written?: Written;
  /** Present where files were compared. */
  readonly drift?: readonly Drift[];
}

/** Turn `specs/` into `generated/`: read, plan, check, print, write. Errors leave everything as it was. */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { base, provider, check = false, accept = false } = options;
  const { memory = new Memory() } = options;
  const inputs = hashInputs(base);
  memory.look(inputs);
  const specs = await planSpecs(base, memory, provider);
  const locks = planLocks(specs, base, accept);
  const diagnostics = sortDiagnostics([...specs.diagnostics, ...locks.diagnostics]);
  const found = {
    diagnostics,
    ...counts(specs),
    ...(provider !== undefined && { only: provider }),
  };
  if (diagnostics.some(({ severity }) => severity === 'error')) return found;
  const files = [...(await emitFiles(specs, memory, provider)), ...locks.files];
  const clashes = checkPaths(files);
  if (clashes.length > 0) return { ...found, diagnostics: [...diagnostics, ...clashes] };
  const manifest = planManifest(base, createManifest(inputs, files), provider);
  const output = [...files, { path: manifestPath, text: printManifest(manifest) }];
  if (check) {
    // The manifest of a single provider is partial on purpose, see planManifest.
    const compared = provider === undefined ? output : files;
    return { ...found, drift: findDrift(base, compared, folderOf(provider)) };
  }
  const earlier = readManifest(base).files.map(({ path }) => path);
  const ours = earlier.filter((path) => path.startsWith(`${folderOf(provider)}/`));
  return { ...found, written: writeFiles(base, output, ours) };
}

function counts({ providers, surfaces }: PlannedSpecs): { providers: number; tools: number } {
  const parts = [...providers, ...surfaces];
  const tools = parts.reduce((sum, { model }) => sum + (model?.tools.length ?? 0), 0);
  return { providers: providers.length, tools };
}

/** Print everything. The printers are loaded only now: most runs of a check end before. */
async function emitFiles(
  specs: PlannedSpecs,
  memory: Memory,
  only?: string,
): Promise<EmittedFile[]> {
  const { emitProvider } = await import('../emit/providers/provider-files.ts');
  const providers = specs.providers.flatMap(({ model }) => model ?? []);
  const files: EmittedFile[] = [];
  for (const model of providers) {
    files.push(...(await memory.recall(model.folder, 'print', async () => emitProvider(model))));
  }
  if (only !== undefined) return files;
  const { emitProviderMap } = await import('../emit/providers/provider-map.ts');
  const { emitConfig } = await import('../emit/house/config.ts');
  const { emitSurface } = await import('../emit/surfaces/surfaces.ts');
  const { emitDocs } = await import('../emit/docs/docs.ts');
  const surfaces = specs.surfaces.flatMap(({ model }) => model ?? []);
  const { config, auditEvents, searchWords, clientProfiles } = specs;
  for (const surface of surfaces) {
    const folder = `specs/surfaces/${surface.id}`;
    files.push(...(await memory.recall(folder, 'print', () => emitSurface(surface))));
  }
  if (auditEvents !== undefined) {
    const { emitAuditEvents } = await import('../emit/house/audit-events.ts');
    const print = () => emitAuditEvents(auditEvents);
    files.push(...(await memory.recall('specs/events', 'print', print)));
  }
  if (searchWords !== undefined) {
    const { emitSearchWords } = await import('../emit/house/search-words.ts');
    files.push(emitSearchWords(searchWords));
  }
  if (specs.skills.length > 0) {
    const { emitSkill, emitSkillList } = await import('../emit/skills/skill.ts');
    files.push(...specs.skills.flatMap(emitSkill), emitSkillList(specs.skills));
  }
  if (clientProfiles !== undefined) {
    const { emitClientProfiles } = await import('../emit/house/client-profiles.ts');
    files.push(emitClientProfiles(clientProfiles));
  }
  if (providers.length > 0) files.push(emitProviderMap(providers));
  if (config !== undefined)
    files.push(emitConfig(config), ...emitDocs({ config, surfaces, providers }));
  return files;
}

function folderOf(provider: string | undefined): string {
  return provider === undefined ? 'generated' : `generated/providers/${provider}`;
}

/**
 * The manifest of a run. After a run over one provider it lists no spec of it, so that the next
 * check compares everything: files that are made from all providers may be old.
 */
function planManifest(base: string, manifest: Manifest, provider: string | undefined): Manifest {
  if (provider === undefined) return manifest;
  const before = readManifest(base);
  const isOurs = ({ path }: { path: string }) => path.startsWith(`${folderOf(provider)}/`);
  const isSpec = ({ path }: { path: string }) => path.startsWith(`specs/providers/${provider}/`);
  return {
    generator: before.generator,
    specs: before.specs.filter((spec) => !isSpec(spec)),
    files: [...before.files.filter((file) => !isOurs(file)), ...manifest.files].toSorted(byPath),
  };
}
