import { abandonedMs, type RunTable } from './run-table.ts';

/** End the runs that nobody has gone on with for a day, and forget those that ended long ago. */
export async function endAbandoned(
  table: Pick<RunTable, 'abandoned' | 'save' | 'removeOld'>,
): Promise<void> {
  for (const run of await table.abandoned()) {
    const { waitsFor, page: _, ...state } = run.state;
    const meanwhile = waitsFor === undefined ? '' : ` while it waited for ${waitsFor}`;
    const message = `nobody has gone on with it for ${abandonedMs / 3_600_000} hours${meanwhile}`;
    const failure = { step: state.step, code: 'conflict', message, isOwn: true } as const;
    await table.save(run, { ...state, status: 'failed', failure }, 'failed');
  }
  await table.removeOld();
}
