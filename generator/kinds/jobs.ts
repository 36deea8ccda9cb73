import { diagnose } from '../diagnostics/diagnose.ts';
import { checkIdentifiers } from '../model/house/identifier-rules.ts';
import { type JobsFile, type JobsModel, planJobs } from '../model/house/jobs.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** Work that happens without a client waiting for it. */
export const jobs = yamlKind<JobsFile, JobsModel>({
  name: 'jobs',
  where: ['specs/jobs.yaml', 'specs/surfaces/<id>/jobs.yaml'],
  schema: 'jobs',
  plan: (content, { id }) => planJobs(content, id),
  problems({ jobs: all }, file) {
    const named = all.map(({ name, handler: identifier }) => ({
      name,
      identifier,
      pointer: `/jobs/${name}`,
    }));
    return checkIdentifiers(named, file);
  },
  /** Jobs of all parts of the server lie in one table, by their names. */
  check(parts) {
    const owners = new Map<string, string>();
    return parts.flatMap(({ model, file, place }) =>
      (model?.jobs ?? []).flatMap(({ name }) => {
        const owner = owners.get(name);
        owners.set(name, owner ?? place.path);
        if (owner === undefined || file === undefined) return [];
        const pointer = `/jobs/${name}`;
        const message = `the job ${name} stands in ${owner} too`;
        return [diagnose('JOB001', { ...file.locate(pointer), pointer }, message)];
      }),
    );
  },
  async print(model) {
    const { emitJobs } = await import('../emit/house/jobs.ts');
    return [emitJobs(model)];
  },
});
