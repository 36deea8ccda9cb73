import type { ClusterJob, JobDefinition, JobRun, ProcessJob } from '../house/jobs.ts';

/** The jobs of a surface, each with the name of the handler that does its work. */
export type SurfaceJobs<Handlers> = readonly ((
  | Omit<ClusterJob, 'run'>
  | Omit<ProcessJob, 'run'>
) & { readonly handler: keyof Handlers & string })[];

/** Check generated jobs against the interface of their handlers. */
export function defineJobs<Handlers>(jobs: SurfaceJobs<Handlers>): SurfaceJobs<Handlers> {
  return jobs;
}

/** Put each job together with its handler. */
export function bindJobs<Handlers extends object>(
  jobs: SurfaceJobs<Handlers>,
  handlers: Handlers,
): readonly JobDefinition[] {
  return bindJobsLater(jobs, async () => handlers);
}

/** The same for handlers that are loaded when one of them runs for the first time. */
export function bindJobsLater<Handlers extends object>(
  jobs: SurfaceJobs<Handlers>,
  load: () => Promise<Handlers>,
): readonly JobDefinition[] {
  return jobs.map(({ handler, ...job }) => {
    const run = async (given: JobRun): Promise<void> => {
      const handlers = await load();
      // `defineJobs` has checked the name, the generated interface the type behind it.
      return (handlers[handler] as (run: JobRun) => Promise<void>)(given);
    };
    return { ...job, run } as JobDefinition;
  });
}
