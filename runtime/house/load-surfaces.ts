import { ConfigError } from '#contract/config/config';
import type { PersonCredentials } from '#contract/connect/person-credentials';
import type { House } from '#contract/house/house';
import type { JobDefinition } from '#contract/house/jobs';
import type { Gauge } from '#contract/house/metrics';
import type { Check } from '#contract/house/readiness';
import type { OwnSkill } from '#contract/skill';
import type { AdmissionParts } from '#contract/surface/admission-parts';
import type { DocumentSigner } from '#contract/surface/document-signer';
import type { SignedInPeople } from '#contract/surface/people';
import type { BoundRoute } from '#contract/surface/surface';
import type { Surface, SurfaceCommand, SurfaceEntry } from '#contract/surface/surface-module';
import { toolsInMemory } from '../offer/catalogue.ts';
import type { LeadingTools, Source } from '../offer/offer.ts';
import type { OfferedSkill } from '../offer/skills.ts';
import type { Part } from '../process/life.ts';
import { StartError } from '../process/start-error.ts';

/** Everything that the enabled surfaces add to the server, together. */
export interface LoadedSurfaces {
  readonly routes: readonly BoundRoute[];
  readonly sources: readonly Source[];
  /** Absent where all tools are listed. */
  readonly leading: LeadingTools | undefined;
  readonly jobs: readonly JobDefinition[];
  readonly checks: readonly Check[];
  readonly metrics: readonly Gauge[];
  readonly admission: AdmissionParts;
  /** Absent where nobody signs in. */
  readonly people: SignedInPeople | undefined;
  /** Absent where nothing is signed. */
  readonly signer: DocumentSigner | undefined;
  /** Absent where people connect nothing. */
  readonly credentials: PersonCredentials | undefined;
  readonly commands: Readonly<Record<string, SurfaceCommand>>;
  readonly parts: readonly Part[];
}

/** A surface that has been created. */
interface Loaded {
  readonly id: string;
  readonly title: string;
  readonly surface: Surface;
}

/** The surfaces that the configuration enables. */
export function enabledSurfaces<Config>(
  registry: readonly SurfaceEntry<Config>[],
  config: Config,
): readonly SurfaceEntry<Config>[] {
  return registry.filter(({ isEnabled }) => isEnabled?.(config) ?? true);
}

/** What the server teaches about itself, without what it teaches about surfaces that are not enabled. */
export function skillsOf(
  enabled: readonly Pick<SurfaceEntry<never>, 'id'>[],
  skills: readonly OwnSkill[],
): readonly OfferedSkill[] {
  const ids = new Set(enabled.map(({ id }) => id));
  return skills
    .filter(({ surface }) => surface === undefined || ids.has(surface))
    .map(({ load }) => ({ source: 'skills', load }));
}

/**
 * Load and create surfaces, all at the same time. Nothing of another one is imported.
 *
 * @throws ConfigError where settings contradict each other
 * @throws StartError where two of them add the same to admission
 */
export async function loadSurfaces<Config>(
  entries: readonly SurfaceEntry<Config>[],
  house: House,
  config: Config,
): Promise<LoadedSurfaces> {
  const results = await Promise.allSettled(
    entries.map(async ({ id, title, create }): Promise<Loaded> => {
      return { id, title, surface: await create(house, config) };
    }),
  );
  const loaded = allOf(results);
  const surfaces = loaded.map(({ surface }) => surface);
  const isLeading = ({ surface }: Loaded) => surface.leads !== undefined;
  return {
    routes: surfaces.flatMap(({ routes = [] }) => routes),
    sources: loaded.filter((each) => !isLeading(each)).map(sourceOf),
    leading: leadingTools(loaded.filter(isLeading)),
    jobs: surfaces.flatMap(({ jobs = [] }) => jobs),
    checks: surfaces.flatMap(({ checks = [] }) => checks),
    metrics: surfaces.flatMap(({ metrics = [] }) => metrics),
    admission: admissionOf(loaded),
    people: surfaces.find(({ people }) => people)?.people,
    signer: surfaces.find(({ signer }) => signer)?.signer,
    credentials: surfaces.find(({ credentials }) => credentials)?.credentials,
    commands: Object.assign({}, ...surfaces.map((surface) => surface.commands)),
    parts: surfaces,
  };
}

/** @throws what the first one throws; the problems of several settings come together */
function allOf(results: readonly PromiseSettledResult<Loaded>[]): readonly Loaded[] {
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  const problems = failures.flatMap((each) => (each instanceof ConfigError ? each.problems : []));
  if (problems.length > 0) throw new ConfigError(problems);
  if (failures.length > 0) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function sourceOf({ id, title, surface }: Loaded): Source {
  const { tools = [], prompts, resourceTemplates } = surface;
  return {
    id,
    title,
    tools: toolsInMemory(tools),
    ...(prompts && { prompts }),
    ...(resourceTemplates && { resourceTemplates }),
  };
}

/** Several surfaces may lead together; the first that says how is the one that is told of. */
function leadingTools(leading: readonly Loaded[]): LeadingTools | undefined {
  const first = leading.find(({ surface }) => surface.leads?.instructions);
  const instructions = first?.surface.leads?.instructions;
  if (!first || !instructions) return undefined;
  const tools = leading.flatMap(({ surface }) => surface.tools ?? []);
  return { id: first.id, title: first.title, tools: toolsInMemory(tools), instructions };
}

function admissionOf(loaded: readonly Loaded[]): AdmissionParts {
  const owners = new Map<string, string>();
  for (const { id, surface } of loaded) {
    const { people, credentials, signer, admission = {} } = surface;
    const more = {
      ...(people && { people }),
      ...(credentials && { credentials }),
      ...(signer && { signer }),
    };
    for (const part of Object.keys({ ...admission, ...more })) {
      const owner = owners.get(part);
      if (owner !== undefined) throw new StartError(`${owner} and ${id} both bring ${part} along`);
      owners.set(part, id);
    }
  }
  return Object.assign({}, ...loaded.map(({ surface }) => surface.admission));
}
