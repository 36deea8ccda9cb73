import { type Leg, legs } from './legs.ts';
import { startConformanceServer } from './server.ts';
import { type Check, runSuite, type SuiteRun } from './suite.ts';
import { startTokenProxy } from './token-proxy.ts';

/** What became of one scenario. */
export interface Verdict {
  readonly leg: string;
  readonly scenario: string;
  readonly isScored: boolean;
  readonly passed: number;
  readonly skipped: number;
  /** Empty where everything is as it should be. */
  readonly problems: readonly string[];
}

/** The suite has no check of this scenario that it would carry out. */
const skippedBySuite = new Set(['tasks-status-notifications']);

/** Run every leg, each against a server of its own. */
export async function* runLegs(chosen: readonly Leg[] = legs): AsyncGenerator<readonly Verdict[]> {
  for (const leg of chosen) yield await runLeg(leg);
}

/** Start a server, run the suite against it, and say what became of each scenario. */
export async function runLeg(leg: Leg): Promise<readonly Verdict[]> {
  const server = await startConformanceServer(leg.env);
  const proxy = leg.addsToken ? await startTokenProxy(server.url) : undefined;
  try {
    return verdictsOf(leg, await runSuite(proxy?.url ?? server.url, leg.options));
  } finally {
    proxy?.close();
    await server.close();
  }
}

/** Judge a run. What the suite did not report has failed, and so has all of it when it says so. */
export function verdictsOf(leg: Leg, { exitCode, checks }: SuiteRun): readonly Verdict[] {
  const verdicts = leg.scenarios.map(({ name, isScored }) => {
    const found = checks.get(name) ?? [];
    return {
      leg: leg.name,
      scenario: name,
      isScored,
      passed: found.filter(({ status }) => status === 'SUCCESS').length,
      skipped: found.filter(({ status }) => status === 'SKIPPED').length,
      problems: problemsOf(name, found),
    };
  });
  if (exitCode === 0 || verdicts.some(({ problems }) => problems.length > 0)) return verdicts;
  const problems = [`the suite ended with exit code ${exitCode}`];
  return [
    ...verdicts,
    { leg: leg.name, scenario: 'the run', isScored: true, passed: 0, skipped: 0, problems },
  ];
}

/** A check that is skipped shows nothing, so it counts as a problem too. */
function problemsOf(scenario: string, checks: readonly Check[]): readonly string[] {
  if (checks.length === 0) return ['the suite reported nothing'];
  const isSkipped = skippedBySuite.has(scenario);
  return checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .filter(({ status }) => status !== 'SKIPPED' || !isSkipped)
    .map(({ id, status, errorMessage = 'no reason given' }) => `${status} ${id}: ${errorMessage}`);
}
