import { parseDuration } from '#contract/config/switch';
import { camelCase } from '../texts/names.ts';

/** The background work that one file lists. */
export interface JobsModel {
  /** The surface that does it; empty where it is the server itself. */
  readonly surface: string;
  readonly jobs: readonly JobModel[];
}

export interface JobModel {
  readonly name: string;
  /** Name of the handler, or of the constant where the server has it. */
  readonly handler: string;
  readonly purpose: string;
  readonly definition: {
    readonly scope: 'cluster' | 'process';
    readonly name: string;
    readonly everyMs?: number;
    readonly maxAttempts?: number;
    readonly parallel?: number;
  };
}

/** A `jobs.yaml` that its JSON Schema accepts. */
export interface JobsFile {
  readonly jobs: Readonly<Record<string, RawJob>>;
}

interface RawJob {
  readonly scope: 'cluster' | 'process';
  readonly purpose: string;
  readonly every?: string;
  readonly max_attempts?: number;
  readonly parallel?: number;
}

/** Name the handler of each job, and turn times into milliseconds. */
export function planJobs({ jobs }: JobsFile, surface: string): JobsModel {
  const planned = Object.entries(jobs).map(([name, raw]) => {
    const { scope, purpose, every, max_attempts, parallel } = raw;
    const everyMs = every === undefined ? undefined : parseDuration(every);
    const own = name.startsWith(`${surface}.`) ? name.slice(surface.length + 1) : name;
    return {
      name,
      handler: camelCase(own.replaceAll(/[.-]/g, '_')),
      purpose,
      definition: {
        scope,
        name,
        ...(everyMs !== undefined && { everyMs }),
        ...(max_attempts !== undefined && { maxAttempts: max_attempts }),
        ...(parallel !== undefined && { parallel }),
      },
    };
  });
  return { surface, jobs: planned };
}
