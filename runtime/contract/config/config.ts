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

/** What the environment says, and what is to be said of it. */
export interface Configured<Config> {
  /** What is wrong has its default: with problems, this is good for finding more of them alone. */
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
  /** What its writer should look at, though it can be used. */
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

  /** A warning may be what explains a problem, so that it stands below them. */
  constructor(problems: readonly ConfigProblem[], warnings: readonly string[] = []) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const lines = [...problems.map(problemLine), ...warnings.map((text) => `  (${text})`)];
    super([`the configuration has ${count}:`, ...lines].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function problemLine({ variable, expected, received }: ConfigProblem): string {
  const tail = received === undefined ? '' : `, but ${received} was given`;
  return `  ${variable}: expected ${expected}${tail}`;
}

/** Read every switch from the environment. An empty variable counts as absent. */
export function readSwitches<Config>(
  switches: Switches<Config>,
  env: Environment,
  surroundings: ConfigSurroundings,
): Configured<Config> {
  const reading: Reading = { env, surroundings, problems: [] };
  const config = readGroup(switches, reading);
  const warnings = unknownVariables(switchesIn(switches), env, surroundings);
  // Generated from the same entries: each property has the type that its switch reads.
  return { config: config as Config, problems: reading.problems, warnings };
}

/**
 * Give back what can be used.
 *
 * @throws ConfigError with all problems at once
 */
export function requireSound<Config>(read: Configured<Config>): Configured<Config> {
  if (read.problems.length > 0) throw new ConfigError(read.problems, read.warnings);
  return read;
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
 * @throws ConfigError when both are set, or the file cannot be read or is empty
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
  const text = readFrom(file);
  // Windows ends lines with CRLF, and begins files with a mark of their encoding.
  const secret = text?.replace(/^\uFEFF/, '').replace(/(?:\r?\n)+$/, '');
  if (secret) return secret;
  const expected = text === undefined ? 'a readable file' : 'a file that holds the value';
  const received = text === undefined ? JSON.stringify(file) : 'an empty one';
  throw new ConfigError([{ variable: `${name}_FILE`, expected, received }]);

  function readFrom(path: string): string | undefined {
    try {
      return readFile(path);
    } catch {
      return undefined;
    }
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
  return entry.default;
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
    .filter((name) => /^service_/i.test(name) && !known.has(name))
    .sort()
    .map((name) => {
      const bare = name.toUpperCase().slice('SERVICE_'.length);
      const meant = known.has(bare)
        ? bare
        : nearest(name.toUpperCase(), candidatesFor(name, [...known], ids));
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
