import { hashInputs } from '../write/input-hashes.ts';
import { isUpToDate } from '../write/manifest.ts';
import { unwritten } from '../write/put-file.ts';
import { exitCodes } from './exit-codes.ts';
import type { CommandOptions } from './generate-options.ts';

/** Run `generate` and print what it found; the result is the exit code. */
export async function runGenerator(options: CommandOptions): Promise<number> {
  const { base, check, provider } = options;
  // Nothing is parsed when specs, generator and files are those that the manifest lists.
  if (check && provider === undefined && isUpToDate(base, hashInputs(base))) return exitCodes.ok;
  if (options.watch) {
    await runWatching(options);
    return exitCodes.ok;
  }
  return runOnce(options);
}

/** Somebody has put a link or a strange manifest in our way, or the disk is full: that is no fault of the generator. */
function refuseUnwritten(error: unknown): undefined {
  const text = unwritten(error);
  if (text === undefined) throw error;
  process.stderr.write(`${text}\n`);
}

async function runWatching(options: CommandOptions): Promise<void> {
  const { watchSpecs } = await import('./watch.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stop.abort());
  }
  const print = (text: string) => void process.stdout.write(text);
  await watchSpecs(options, { signal: stop.signal, print });
}

async function runOnce(options: CommandOptions): Promise<number> {
  const { generate } = await import('../pipeline/pipeline.ts');
  const { providerIds } = await import('../kinds/providers.ts');
  const { formatResult } = await import('./format-result.ts');
  const { provider, base, format } = options;
  if (provider !== undefined && !providerIds(base).includes(provider)) {
    const ids = providerIds(base).join(', ');
    process.stderr.write(`there is no provider "${provider}"; there are: ${ids}\n`);
    return exitCodes.usage;
  }
  const result = await generate(options).catch(refuseUnwritten);
  if (result === undefined) return exitCodes.usage;
  process.stdout.write(formatResult(result, format));
  if (result.diagnostics.some(({ severity }) => severity === 'error')) return exitCodes.errors;
  return (result.drift?.length ?? 0) > 0 ? exitCodes.drift : exitCodes.ok;
}
