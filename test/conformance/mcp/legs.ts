import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { streamSeconds } from './session-tools.ts';
import { suiteFolder } from './suite.ts';

/** One run of the suite against one server. */
export interface Leg {
  readonly name: string;
  /** Options of the suite. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether something before the server adds a token, which the suite has none of. */
  readonly addsToken?: boolean;
  /** Every scenario that the run must report. */
  readonly scenarios: readonly Scenario[];
}

interface Scenario {
  readonly name: string;
  /** Counts for conformance with the revision. */
  readonly isScored: boolean;
}

interface Requirements {
  readonly server: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
}

/** What a revision requires of a server, as the suite has frozen it. */
function requirementsOf(revision: string, env: Leg['env'] = {}): Leg {
  const file = join(suiteFolder, 'requirements', `${revision}.yaml`);
  const { server, not_scored }: Requirements = parse(readFileSync(file, 'utf8'));
  const others = not_scored.filter(({ leg }) => leg === 'server');
  return {
    name: revision,
    options: ['--requirements', revision],
    env,
    scenarios: [
      ...server.map((name) => ({ name, isScored: true })),
      ...others.map(({ scenario }) => ({ name: scenario, isScored: false })),
    ],
  };
}

/** A scenario that is in no set of requirements. */
function single(name: string): Leg {
  return { name, options: ['--scenario', name], env: {}, scenarios: [{ name, isScored: false }] };
}

export const legs: readonly Leg[] = [
  requirementsOf('2026-07-28'),
  requirementsOf('2025-11-25', {
    SERVICE_MCP_SESSIONS: 'true',
    SERVICE_MCP_STREAM_TIME: `${streamSeconds}s`,
  }),
  {
    ...requirementsOf('2026-07-28', { SERVICE_AUTH: 'required' }),
    name: '2026-07-28, with a token',
    addsToken: true,
  },
  single('sep-2640-skills-directory'),
  single('sep-2640-skills-enumeration'),
  single('sep-2640-skills-manifest'),
];
