import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { ConfirmDoor } from '#contract/house/confirm-door';
import { structuredResult } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import type { WorkflowsTools } from '../../../generated/surfaces/workflows/tools.ts';
import { errorOf, hasEnded, isUntrusted } from './run-state.ts';
import type { Run, RunTable } from './run-table.ts';

const defaultLimit = 20;

/** What the tools of this surface do besides the workflows themselves: each for its caller alone. */
export function createWorkflowsHandlers(
  table: Pick<RunTable, 'list' | 'find' | 'save' | 'inside'>,
  confirm: Pick<ConfirmDoor, 'withdraw'>,
): WorkflowsTools {
  return {
    async workflowRuns({ operation, run: id, status, limit = defaultLimit }, { caller }) {
      if (operation === 'list') return shown(await table.list(caller, { status, limit }));
      const run = await required(table, caller, id);
      if (operation === 'get' || hasEnded(run.state)) return shown([run]);
      return shown([await cancel(table, confirm, run)]);
    },
  };
}

/**
 * Cancel a run, and before it those that are its steps: what they have begun, it has.
 *
 * @throws ServiceError `conflict` where it went on in this moment
 */
async function cancel(
  table: Pick<RunTable, 'save' | 'inside'>,
  confirm: Pick<ConfirmDoor, 'withdraw'>,
  run: Run,
): Promise<Run> {
  let begun = run.state.begun;
  for (const inner of await table.inside(run)) {
    const { state } = await cancel(table, confirm, inner);
    begun ??= state.begun;
  }
  const { waitsFor: _, page, ...state } = run.state;
  const next = { ...state, ...(begun && { begun }), status: 'cancelled' } as const;
  const cancelled = await table.save(run, next, 'cancelled');
  if (cancelled && page !== undefined) await confirm.withdraw(run.tenant, page);
  if (cancelled) return cancelled;
  const message = `the run ${run.id} went on in this moment; cancel it again`;
  throw new ServiceError('conflict', 409, message, { retryAfterMs: 100 });
}

async function required(
  table: Pick<RunTable, 'find'>,
  caller: CallContext['caller'],
  id: string | undefined,
): Promise<Run> {
  if (id === undefined) {
    const message = 'run is missing: it is the id that list gives';
    throw new ServiceError('invalid_params', 400, message, { detail: { field: 'run' } });
  }
  const run = await table.find(caller, id);
  if (run) return run;
  throw new ServiceError('not_found', 404, `there is no run ${JSON.stringify(id)} of yours`);
}

/** What runs say of themselves; errors and outputs may be what third parties wrote. */
function shown(runs: readonly Run[]): ToolResult {
  const value = {
    runs: runs.map(({ id, workflow, state, createdAt, updatedAt }) => ({
      ...{ run: id, workflow, status: state.status, steps: state.calls, step: state.step },
      ...(state.waitsFor !== undefined && { waits_for: state.waitsFor }),
      ...(errorOf(state) !== undefined && { error: errorOf(state) }),
      ...(state.result && { outputs: state.result }),
      started_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
    })),
  };
  const untrusted = runs.some(({ state }) => isUntrusted(state));
  const title = 'the tools that workflows called';
  return structuredResult({ value, text: JSON.stringify(value) }, { untrusted, title });
}
