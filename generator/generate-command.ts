import { exitCodes } from './exit-codes.ts';
import type { CommandOptions } from './generate-options.ts';
import { hashInputs } from './input-hashes.ts';
import { isUpToDate } from './manifest.ts';

/** Run `generate` and print what it found; the result is the exit code. */
export async function runGenerator(options: CommandOptions): Promise<number> {
  const { base, check, provider } = options;
  // Nothing is parsed when specs, generator and files are those that the manifest lists.
  if (check && provider === undefined && isUpToDate(base, hashInputs(base))) return exitCodes.ok;
  if (options.watch) {
    const { watchSpecs } = await import('./watch.ts');
    return watchSpecs(options);
  }
  return runOnce(options);
}

async function runOnce(options: CommandOptions): Promise<number> {
  const { generate } = await import('./pipeline.ts');
  const { providerIds } = await import('./specs.ts');
  const { formatResult } = await import('./format-result.ts');
  const { provider, base, format } = options;
  if (provider !== undefined && !providerIds(base).includes(provider)) {
    const ids = providerIds(base).join(', ');
    process.stderr.write(`there is no provider "${provider}"; there are: ${ids}\n`);
    return exitCodes.usage;
  }
  const result = await generate(options);
  process.stdout.write(formatResult(result, format));
  if (result.diagnostics.some(({ severity }) => severity === 'error')) return exitCodes.errors;
  return (result.drift?.length ?? 0) > 0 ? exitCodes.drift : exitCodes.ok;
}
