import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '../row.ts';
import { writeWholeGithub } from './whole-github.ts';
import { project, type Usage, wholeProcess } from './whole-process.ts';

const pairs = 5;
const generator = 'generator/cli.js';
const rival = 'node_modules/openapi-typescript/bin/cli.js';

/** How long the generator takes, as whole processes. */
export async function generateBench(): Promise<Row[]> {
  return [...(await providerRows()), ...(await githubRows())];
}

async function providerRows(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), 'generate-bench-'));
  cpSync(join(project, 'specs'), join(base, 'specs'), { recursive: true });
  const cold = await repeat(() => {
    rmSync(join(base, 'generated'), { recursive: true, force: true });
    return wholeProcess(base, generator, 'generate');
  });
  const check = await repeat(() => wholeProcess(base, generator, 'generate', '--check'));
  rmSync(base, { recursive: true });
  return [
    atMost('`generate` of all providers, cold', 3, median(cold.map(({ seconds }) => seconds))),
    atMost('`generate --check`, nothing changed', 0.3, median(check.map((usage) => usage.seconds))),
  ];
}

async function githubRows(): Promise<Row[]> {
  const github = writeWholeGithub();
  if (!github) {
    const detail = 'set OPENAPI_CORPUS to measure it';
    const what = 'GitHub’s whole description to TypeScript';
    return [{ what, target: '', measured: 'not measured', met: undefined, detail }];
  }
  const ours: Usage[] = [];
  const theirs: Usage[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    rmSync(join(github.base, 'generated'), { recursive: true, force: true });
    ours.push(await wholeProcess(github.base, generator, 'generate'));
    const output = join(github.base, 'rival.ts');
    theirs.push(await wholeProcess(github.base, rival, github.description, '--output', output));
  }
  rmSync(github.base, { recursive: true });
  const ratio = median(ours.map(({ seconds }, pair) => seconds / (theirs[pair]?.seconds ?? 0)));
  const megabytes = Math.max(...ours.map((usage) => usage.megabytes));
  const rivalSeconds = median(theirs.map(({ seconds }) => seconds)).toFixed(2);
  return [
    atMost('GitHub (1,223 operations) to TypeScript', 1.5, median(ours.map((u) => u.seconds))),
    {
      what: 'the same / openapi-typescript',
      target: 'at most 0.60',
      measured: ratio.toFixed(2),
      met: ratio <= 0.6,
      detail: `openapi-typescript ${rivalSeconds} s`,
    },
    {
      what: 'the same, peak memory',
      target: 'at most 400 MB',
      measured: `${megabytes.toFixed(0)} MB`,
      met: megabytes <= 400,
      detail: `openapi-typescript ${Math.max(...theirs.map((u) => u.megabytes)).toFixed(0)} MB`,
    },
  ];
}

async function repeat(measure: () => Promise<Usage>): Promise<Usage[]> {
  const usages: Usage[] = [];
  for (let run = 0; run < pairs; run++) usages.push(await measure());
  return usages;
}

function atMost(what: string, target: number, seconds: number): Row {
  return {
    what,
    target: `at most ${target} s`,
    measured: `${seconds.toFixed(2)} s`,
    met: seconds <= target,
    detail: '',
  };
}
