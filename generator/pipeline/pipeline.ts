import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/format-diagnostics.ts';
import { providers } from '../kinds/providers.ts';
import { toolsOf } from '../kinds/tools.ts';
import { type Drift, findDrift } from '../write/drift.ts';
import { checkPaths } from '../write/emitted-paths.ts';
import { formatFiles } from '../write/format.ts';
import { hashInputs } from '../write/input-hashes.ts';
import {
  createManifest,
  manifestPath,
  partialManifest,
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
    tools: specs.parts.reduce((sum, part) => sum + toolsOf(part, specs).length, 0),
    ...(provider !== undefined && { only: provider }),
  };
  if (diagnostics.some(({ severity }) => severity === 'error')) return found;
  const files = formatFiles([...(await printSpecs(specs, scope)), ...locks.files]);
  const clashes = checkPaths(files);
  if (clashes.length > 0) return { ...found, diagnostics: [...diagnostics, ...clashes] };
  const folder = provider === undefined ? 'generated' : `generated/providers/${provider}`;
  if (check) return { ...found, drift: findDrift(base, files, folder) };
  const earlier = readManifest(base);
  const whole = createManifest(inputs, files);
  const manifest =
    scope.only === undefined
      ? whole
      : partialManifest(earlier, whole, [`${scope.only}/`, `${folder}/`]);
  const ours = [...earlier.keys()].filter((path) => path.startsWith(`${folder}/`));
  const output = [...files, { path: manifestPath, text: printManifest(manifest) }];
  return { ...found, written: writeFiles(base, output, ours) };
}
