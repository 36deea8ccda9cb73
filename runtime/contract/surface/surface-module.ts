import type { PersonCredentials } from '../connect/person-credentials.ts';
import type { House } from '../house/house.ts';
import type { JobDefinition } from '../house/jobs.ts';
import type { Gauge } from '../house/metrics.ts';
import type { Check } from '../house/readiness.ts';
import type { Prompt } from '../prompt.ts';
import type { ResourceTemplate } from '../resource.ts';
import type { Tool } from '../tool.ts';
import type { AdmissionParts } from './admission-parts.ts';
import type { DocumentSigner } from './document-signer.ts';
import type { SignedInPeople } from './people.ts';
import type { BoundRoute } from './surface.ts';

/**
 * Does what an operator asks for at the terminal, and gives what is printed. The options are those
 * that the command line declares for it.
 *
 * @throws ServiceError with status 400 where it is not understood
 */
export type SurfaceCommand = (
  words: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
) => Promise<string>;

/** What a surface adds to the server, once it is created. */
export interface Surface {
  readonly routes?: readonly BoundRoute[];
  readonly tools?: readonly Tool[];
  readonly prompts?: readonly Prompt[];
  readonly resourceTemplates?: readonly ResourceTemplate[];
  /** Its tools lead to all others, which are not listed then. */
  readonly leads?: {
    /** How to use them, for the model, which is told what there are tools of. */
    readonly instructions?: (sources: readonly string[]) => string;
  };
  /** Background work, in addition to what others do. */
  readonly jobs?: readonly JobDefinition[];
  /** What this server is not ready without. */
  readonly checks?: readonly Check[];
  readonly metrics?: readonly Gauge[];
  /** What it adds to the one way in. */
  readonly admission?: AdmissionParts;
  /** The people who sign in; they come from one surface at most. */
  readonly people?: SignedInPeople;
  /** What signs documents; it comes from one surface at most. */
  readonly signer?: DocumentSigner;
  /** What people have connected at vendors; it comes from one surface at most. */
  readonly credentials?: PersonCredentials;
  /** What its operator can have done at the terminal, by the first word of the command. */
  readonly commands?: Readonly<Record<string, SurfaceCommand>>;
  /** Begin with what needs the store: before the jobs, and before anybody is served. */
  start?(): Promise<void>;
  /** Let go of what `create` or `start` has taken; also where `start` was never called. */
  stop?(): Promise<void>;
}

/** What the `index.ts` of a surface exports as `surface`: its settings, and what it needs of the house. */
export interface SurfaceModule<Config = unknown, Needs extends keyof House = never> {
  /**
   * Make the surface. Nothing is open yet, no tool is offered: what needs that waits for `start` or
   * for the first call.
   *
   * @throws ConfigError where settings contradict each other
   */
  create(house: Pick<House, Needs>, config: Config): Surface | Promise<Surface>;
}

/** A surface that can be loaded; the generator writes one for each. */
export interface SurfaceEntry<Config> {
  readonly id: string;
  readonly title: string;
  /** How many tools it has, for who must know before it is loaded. */
  readonly tools: number;
  /** The paths of its routes, by their names, for who must know before it is loaded. */
  readonly paths: Readonly<Record<string, string>>;
  /** Absent where it is always on. */
  readonly isEnabled?: (config: Config) => boolean;
  /** Load and create it. */
  readonly create: (house: House, config: Config) => Promise<Surface>;
}
