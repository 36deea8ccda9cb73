import type { JobModel, JobsModel } from '../../model/house/jobs.ts';
import { camelCase, pascalCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { handlerInterface } from '../print/handler-interface.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print the jobs of one file: those of a surface with the interface of their handlers. */
export function emitJobs(model: JobsModel): EmittedFile {
  return model.surface === '' ? emitHouseJobs(model.jobs) : emitSurfaceJobs(model);
}

function emitHouseJobs(jobs: readonly JobModel[]): EmittedFile {
  const entries = jobs.map(({ handler, definition }) => [handler, definition]);
  return printSourceFile({
    path: 'generated/jobs.ts',
    source: 'specs/jobs.yaml',
    statements: [
      constant({
        name: 'houseJobs',
        docs: ['The background work of the engines, without what does it.'],
        value: `${literal(Object.fromEntries(entries))} as const`,
      }),
    ],
  });
}

function emitSurfaceJobs({ surface, jobs }: JobsModel): EmittedFile {
  const handlers = `${pascalCase(surface)}Jobs`;
  const name = `${camelCase(surface)}Jobs`;
  const head = `export const ${name} = defineJobs<${handlers}>(`;
  const value = literal(
    jobs.map(({ handler, definition }) => ({ handler, ...definition })),
    { depth: 0, used: head.length, after: 2 },
  );
  return printSourceFile({
    path: `generated/surfaces/${surface}/jobs.ts`,
    source: `specs/surfaces/${surface}/jobs.yaml`,
    imports: [
      { from: '#contract/house/jobs', types: ['JobRun'] },
      { from: '#contract/surface/surface-jobs', names: ['defineJobs'] },
    ],
    statements: [
      handlerInterface(
        handlers,
        ['One handler for each job of this surface.'],
        jobs.map(({ handler, purpose, definition }) => ({
          name: handler,
          docs: [`${purpose}.`],
          parameters: [
            definition.scope === 'cluster' ? 'job: JobRun' : "job: Pick<JobRun, 'signal'>",
          ],
          returns: 'Promise<void>',
        })),
      ),
      constant({
        name,
        docs: ['The jobs of this surface.'],
        value: `defineJobs<${handlers}>(${value})`,
      }),
    ],
  });
}
