import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DiagnosticFormat, diagnosticFormats } from '../diagnostics/format-diagnostics.ts';

export interface CommandOptions {
  readonly base: string;
  readonly check: boolean;
  readonly watch: boolean;
  readonly accept: boolean;
  readonly provider?: string;
  readonly format: DiagnosticFormat;
}

/** Read the command line of `generate`. */
export function readOptions(
  args: readonly string[],
  base: string,
): CommandOptions | { readonly problem: string } {
  const parsed = parse(args);
  if (typeof parsed === 'string') return { problem: parsed };
  const { check = false, watch = false, accept = false, provider, format = 'text' } = parsed;
  const chosen = diagnosticFormats.find((known) => known === format);
  if (chosen === undefined) {
    return { problem: `--format is one of ${diagnosticFormats.join(', ')}, not "${format}"` };
  }
  if (check && (watch || accept)) {
    return { problem: '--check only compares: it goes with neither --watch nor --accept' };
  }
  if (!existsSync(join(base, 'specs'))) return { problem: `there is no folder specs in ${base}` };
  if (provider !== undefined && !/^[a-z][a-z0-9_]*$/.test(provider)) {
    return { problem: `--provider "${provider}" is no id of a provider` };
  }
  return {
    base,
    check,
    watch,
    accept,
    format: chosen,
    ...(provider !== undefined && { provider }),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean' },
        watch: { type: 'boolean' },
        accept: { type: 'boolean' },
        provider: { type: 'string' },
        format: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
