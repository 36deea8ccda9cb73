import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const manifest = import.meta.resolve('@modelcontextprotocol/conformance/package.json');

/** Where the package of the suite is. */
export const suiteFolder = dirname(fileURLToPath(manifest));

const entry = join(suiteFolder, 'dist', 'index.js');

/** A run that takes this long hangs. */
const timeoutMs = 300_000;

/** One thing that a scenario looked at. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface SuiteRun {
  /** With no server listening the suite counts passes all the same; this tells. */
  readonly exitCode: number;
  /** What the scenarios found, by their names. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
}

/** Run the conformance suite against a server. */
export async function runSuite(url: URL, options: readonly string[]): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-results-'));
  try {
    const args = [entry, 'server', '--url', url.href, ...options, '--output-dir', folder];
    const suite = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: timeoutMs,
    });
    const [code] = await once(suite, 'exit');
    return { exitCode: code ?? -1, checks: resultsIn(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suite writes one folder for each scenario: `server-<name>-<time>`. */
function resultsIn(folder: string): ReadonlyMap<string, readonly Check[]> {
  const results = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    if (scenario === undefined) continue;
    results.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')));
  }
  return results;
}
