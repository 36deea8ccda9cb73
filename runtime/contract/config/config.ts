import { parseSwitch, type Switch } from './switch.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One switch for each property of the configuration. `<ID>` in a name stands for a provider. */
export type Switches<Config> = Readonly<Record<keyof Config, Switch | SwitchGroup>>;

/** The switches of an object in the configuration, by its properties. */
export interface SwitchGroup {
  readonly [property: string]: Switch | SwitchGroup;
}

/** What reading the configuration needs to know besides the environment. */
export interface ConfigSurroundings {
  /** Each provider by its id, with the variables that belong to it. */
  readonly providers: Readonly<Record<string, { readonly env: readonly string[] }>>;
  readonly readFile: (path: string) => string;
  /** The member of `known` that is most like `name`; nothing where none is. */
  readonly nearest: (name: string, known: readonly string[]) => string | undefined;
}

/** A configuration that may be used, and what its writer should look at all the same. */
export interface Configured<Config> {
  readonly config: Config;
  readonly warnings: readonly string[];
}

export interface ConfigProblem {
  readonly variable: string;
  readonly expected: string;
  /** What came instead; absent where it could be a secret. */
  readonly received?: string;
}

/** The configuration cannot be used: everything that is wrong with it, in one message. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super([`the configuration has ${count}:`, ...problems.map(problemLine)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function problemLine({ variable, expected, received }: ConfigProblem): string {
  const tail = received === undefined ? '' : `, but ${received} was given`;
  return `  ${variable}: expected ${expected}${tail}`;
}

/**
 * Read every switch from the environment. An empty variable counts as absent.
 *
 * @throws ConfigError with all problems at once
 */
export function readSwitches<Config>(
  switches: Switches<Config>,
  env: Environment,
  surroundings: ConfigSurroundings,
): Configured<Config> {
  const reading: Reading = { env, surroundings, problems: [] };
  const config = readGroup(switches, reading);
  if (reading.problems.length > 0) throw new ConfigError(reading.problems);
  const warnings = unknownVariables(switchesIn(switches), env, surroundings);
  // Generated from the same entries: each property has the type that its switch reads.
  return { config: config as Config, warnings };
}

function readGroup(group: SwitchGroup, reading: Reading): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [property, entry] of Object.entries(group)) {
    if (!isSwitch(entry)) values[property] = readGroup(entry, reading);
    else if (entry.env.includes('<ID>')) values[property] = readPerProvider(entry, reading);
    else values[property] = readSwitch(entry, reading);
  }
  return values;
}

function switchesIn(group: SwitchGroup): readonly Switch[] {
  return Object.values(group).flatMap((entry) => (isSwitch(entry) ? [entry] : switchesIn(entry)));
}

function isSwitch(entry: Switch | SwitchGroup): entry is Switch {
  return typeof entry.env === 'string';
}

/**
 * Read a secret from `name`, or from the file that `<name>_FILE` names.
 *
 * @throws ConfigError when both are set, or the file cannot be read
 */
export function readSecret(
  name: string,
  env: Environment,
  readFile: (path: string) => string,
): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) {
    const expected = `either ${name} or ${name}_FILE, not both`;
    throw new ConfigError([{ variable: `${name}_FILE`, expected }]);
  }
  try {
    return readFile(file).replace(/\r?\n$/, '') || undefined;
  } catch {
    const received = JSON.stringify(file);
    throw new ConfigError([{ variable: `${name}_FILE`, expected: 'a readable file', received }]);
  }
}

interface Reading {
  readonly env: Environment;
  readonly surroundings: ConfigSurroundings;
  readonly problems: ConfigProblem[];
}

function readPerProvider(entry: Switch, reading: Reading): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const id of Object.keys(reading.surroundings.providers)) {
    const value = readSwitch({ ...entry, env: nameFor(entry, id) }, reading);
    if (value !== undefined) values[id] = value;
  }
  return values;
}

function nameFor(entry: Switch, id: string): string {
  return entry.env.replace('<ID>', id.toUpperCase());
}

function readSwitch(entry: Switch, reading: Reading): unknown {
  const { env, problems } = reading;
  if (entry.type === 'secret') return readSecretSwitch(entry.env, reading);
  const text = env[entry.env]?.trim();
  if (text === undefined || text === '') return entry.default;
  const parsed = parseSwitch(entry, text);
  if ('value' in parsed) return parsed.value;
  problems.push({
    variable: entry.env,
    expected: parsed.expected,
    received: parsed.received ?? JSON.stringify(text.slice(0, 80)),
  });
  return undefined;
}

function readSecretSwitch(name: string, { env, surroundings, problems }: Reading) {
  try {
    return readSecret(name, env, surroundings.readFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The variables that look like ours and mean nothing, each with the one that was perhaps meant. */
function unknownVariables(
  switches: readonly Switch[],
  env: Environment,
  { providers, nearest }: ConfigSurroundings,
): readonly string[] {
  const ids = Object.keys(providers);
  const own = switches.flatMap((entry) => {
    const names = entry.env.includes('<ID>') ? ids.map((id) => nameFor(entry, id)) : [entry.env];
    return entry.type === 'secret' ? names.flatMap(withFile) : names;
  });
  const theirs = Object.values(providers).flatMap((provider) => provider.env.flatMap(withFile));
  const known = new Set([...own, ...theirs]);
  return Object.keys(env)
    .filter((name) => name.startsWith('SERVICE_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = nearest(name, candidatesFor(name, [...known], ids));
      return `${name} is not known${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

/** The secret of one vendor never belongs into the variable of another one. */
function candidatesFor(
  name: string,
  known: readonly string[],
  ids: readonly string[],
): readonly string[] {
  const prefixes = ids.map((id) => `SERVICE_${id.toUpperCase()}_`);
  const prefix = prefixes.find((own) => name.startsWith(own));
  if (prefix !== undefined) return known.filter((candidate) => candidate.startsWith(prefix));
  return known.filter((candidate) => !prefixes.some((other) => candidate.startsWith(other)));
}

function withFile(name: string): readonly string[] {
  return [name, `${name}_FILE`];
}
