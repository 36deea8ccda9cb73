import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import { providers } from '../kinds/providers.ts';
import { toolsOf } from '../kinds/tools.ts';
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
import { planSpecs, printSpecs } from './specs.ts';

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
  const { base, provider, check = false, accept = false, memory = new Memory() } = options;
  const inputs = hashInputs(base);
  memory.look(inputs);
  const scope = {
    base,
    memory,
    ...(provider !== undefined && { only: `specs/providers/${provider}` }),
  };
  const specs = await planSpecs(scope);
  const locks = planLocks(specs, accept);
  const diagnostics = sortDiagnostics([...specs.diagnostics, ...locks.diagnostics]);
  const found = {
    diagnostics,
    providers: specs.of(providers).length,
    tools: specs.parts.reduce((sum, part) => sum + toolsOf(part).length, 0),
    ...(provider !== undefined && { only: provider }),
  };
  if (diagnostics.some(({ severity }) => severity === 'error')) return found;
  const files = [...(await printSpecs(specs, scope)), ...locks.files];
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
