import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '#contract/caller';
import { InputRequired, MissingCapability } from '#contract/client';
import { ServiceError, ToolError } from '#contract/errors';
import type { ConfirmDoor } from '#contract/house/confirm-door';
import type { OfferedTools } from '#contract/house/offered-tools';
import type { JsonObject } from '#contract/json';
import { resolveValue, type Scope } from '#contract/workflow/expression';
import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';
import {
  after,
  firstState,
  hasEnded,
  isUntrusted,
  type RunEvent,
  type StepOutcome,
  stepOf,
} from './run-state.ts';
import type { Run, RunNews, RunTable } from './run-table.ts';
import { callTool, outcomeOfError, StepInterrupted } from './step-call.ts';
import { type Place, runIdOf, stepContext, withoutAnswers } from './step-context.ts';

export interface EngineParts {
  readonly table: Pick<RunTable, 'find' | 'create' | 'save'>;
  readonly tools: Pick<OfferedTools, 'call' | 'definition'>;
  readonly confirm: ConfirmDoor;
  readonly now: () => number;
  /** The workflow of this name, for steps that run one. */
  readonly find: (name: string) => Promise<Workflow | undefined>;
  readonly onStep: () => void;
  readonly onStart: () => void;
  readonly onEnd: (run: Run) => void;
}

/** How often to look whether a person has decided on a page. */
const lookMs = 2000;

const unclear =
  'the server ended while this ran, and doing it twice may do harm; check whether it took effect before you try again';

/** Carries out runs: one step after the other, each state kept before the next one begins. */
export class WorkflowEngine {
  readonly #parts: EngineParts;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /**
   * Begin a run, or go on with the one that this call has begun before, until it has ended.
   *
   * @throws InputRequired where the client has to answer first
   * @throws whatever has stopped the call: a run in a task goes on with its next attempt
   */
  async run(
    workflow: Workflow,
    inputs: JsonObject,
    context: CallContext,
    place: Place = { id: runIdOf(workflow, context), parent: '' },
  ): Promise<Run> {
    const known = await this.#parts.table.find(context.caller, place.id);
    const run = known
      ? await this.#resumed(workflow, known)
      : await this.#begun(workflow, inputs, context, place);
    const wasWaiting = known?.state.status === 'waiting';
    return this.#drive(workflow, run, wasWaiting ? context : withoutAnswers(context));
  }

  async #begun(
    workflow: Workflow,
    inputs: JsonObject,
    { caller: { tenant, subject } }: CallContext,
    { id, parent }: Place,
  ): Promise<Run> {
    const { definition, revision } = workflow;
    const state = firstState(workflow);
    this.#parts.onStart();
    const made = { tenant, subject, id, workflow: definition.name, revision, inputs, state };
    return this.#parts.table.create(made, parent);
  }

  async #resumed(workflow: Workflow, run: Run): Promise<Run> {
    if (hasEnded(run.state)) return run;
    if (run.revision !== workflow.revision) {
      const message = 'its workflow has changed since it began, so it does not go on';
      return this.#change(workflow, run, { kind: 'fail', code: 'conflict', message });
    }
    const { begun, step } = run.state;
    if (begun && stepOf(workflow, step).repeat === 'once') {
      return this.#change(workflow, run, { kind: 'fail', code: 'conflict', message: unclear });
    }
    return this.#change(workflow, run, { kind: 'resume' });
  }

  async #drive(workflow: Workflow, begun: Run, first: CallContext): Promise<Run> {
    let run = begun;
    let context = first;
    while (!hasEnded(run.state)) {
      const reached = await this.#step(workflow, run, context);
      run =
        'reason' in reached
          ? await this.#interrupted(workflow, reached.run, context, reached.reason)
          : reached.run;
      // An answer is one to the question at which the run waited, and to no other.
      context = withoutAnswers(context);
    }
    return run;
  }

  /** Do one step and keep what came of it; or say why it did not come to its end. */
  async #step(workflow: Workflow, before: Run, context: CallContext): Promise<Reached> {
    const { now, onStep } = this.#parts;
    const { state, inputs } = before;
    const step = stepOf(workflow, state.step);
    const scope: Scope = { inputs, steps: state.outputs };
    let run = before;
    const begin = async () => {
      if (run.state.status === 'waiting')
        run = await this.#change(workflow, run, { kind: 'resume' });
      if (step.repeat === 'safe') return;
      run = await this.#change(workflow, run, { kind: 'begin' });
      // Another call is another run.
      context.mayBeDone = 'once';
    };
    try {
      throwIfStopped(context);
      await pause((state.dueAt ?? 0) - now(), context);
      context.progress?.(state.calls, undefined, step.description ?? step.id);
      // Arguments are an object, and so is what becomes of them.
      const args = (resolveValue(step.arguments, scope) ?? {}) as JsonObject;
      const outcome = await this.#outcome(workflow, { step, run, args, scope, context, begin });
      onStep();
      const next = await this.#change(workflow, run, { kind: 'outcome', outcome, now: now() });
      // Or else the same step would be done for ever, as fast as it can be.
      if (next === run) throw new Error(`what came of ${step.id} changed nothing of ${run.id}`);
      return { run: next };
    } catch (error) {
      if (error instanceof StepInterrupted) return { run, reason: error.cause };
      throw error;
    }
  }

  async #outcome(workflow: Workflow, work: StepWork): Promise<StepOutcome> {
    const { step, run, args, scope, context, begin } = work;
    const inner = stepContext(run, step, context);
    if (step.workflow !== undefined) return this.#nested(step.workflow, args, run, inner);
    const { tools, confirm } = this.#parts;
    const name = step.tool ?? '';
    const definition = await tools.definition(name, context.caller.tenant);
    const isFree = step.approval === undefined && definition?.confirm === undefined;
    if (definition === undefined || isFree) {
      await begin();
      return callTool(tools, name, args, inner);
    }
    const title =
      step.approval === undefined ? definition.title : String(resolveValue(step.approval, scope));
    const description = `Step ${step.id} of ${workflow.definition.name}. ${definition.description}`;
    try {
      const asked = { ...definition, ...(title !== undefined && { title }), description };
      const approval = await confirm.require(asked, args, inner);
      await begin();
      return await callTool(tools, name, args, { ...withoutAnswers(inner), approval });
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  async #nested(
    name: string,
    inputs: JsonObject,
    run: Run,
    context: CallContext,
  ): Promise<StepOutcome> {
    const workflow = await this.#parts.find(name);
    if (!workflow) throw new Error(`there is no workflow ${name}`);
    const place = { id: runIdOf(workflow, context), parent: run.id };
    try {
      const { state } = await this.run(workflow, inputs, context, place);
      const { status, result = {}, failure } = state;
      const untrusted = isUntrusted(state);
      if (status === 'cancelled')
        throw new ToolError('conflict', `its run ${place.id} was cancelled`);
      if (!failure) return { ok: true, statusCode: 200, body: result, untrusted };
      const { code, message, step } = failure;
      const told = { code, message: `${name} failed at ${step}: ${message}` };
      return { ok: false, statusCode: 500, body: { error: told }, untrusted, failure: told };
    } catch (error) {
      if (error instanceof InputRequired || error instanceof MissingCapability) {
        throw new StepInterrupted(error);
      }
      const ended = endedSignal(context);
      if (ended) throw new StepInterrupted(ended.reason);
      if (error instanceof ToolError) return outcomeOfError(error);
      throw error;
    }
  }

  /** The step waits for somebody, or the call was stopped. */
  async #interrupted(
    workflow: Workflow,
    run: Run,
    context: CallContext,
    reason: unknown,
  ): Promise<Run> {
    const { signal, progress } = context;
    if (signal.aborted) return this.#stopped(workflow, run, context);
    if (context.stopping?.aborted) throw context.stopping.reason;
    if (reason instanceof ToolError) {
      const page = reason.detail.approvalUrl;
      const waitsFor = `a person's approval at ${page ?? 'its page'}`;
      const isNew = run.state.waitsFor !== waitsFor;
      progress?.(run.state.calls, undefined, `waiting for ${waitsFor}`);
      const waiting = isNew
        ? await this.#change(workflow, run, { kind: 'wait', for: waitsFor, page })
        : run;
      await sleep(lookMs, undefined, { signal: waitSignal(context) }).catch(() => undefined);
      return this.#newest(waiting);
    }
    await this.#change(workflow, run, { kind: 'wait', for: 'an answer of the client' });
    if (!(reason instanceof InputRequired)) throw reason;
    const { requests, state = null, approval } = reason;
    throw new InputRequired(requests, { run: run.id, inner: state }, approval);
  }

  /**
   * A run that has waited as others have left it meanwhile: cancelled, or as it was.
   *
   * @throws ServiceError `conflict` where another one has gone on with it
   */
  async #newest(run: Run): Promise<Run> {
    const newest = await this.#parts.table.find(run, run.id);
    if (newest && (newest.version === run.version || hasEnded(newest.state))) return newest;
    throw goesOnElsewhere(run);
  }

  /** A run in a task goes on with the next attempt, unless the task was cancelled. */
  async #stopped(workflow: Workflow, run: Run, context: CallContext): Promise<never> {
    const { reason } = context.signal;
    const isCancelled = reason instanceof ServiceError && reason.code === 'cancelled';
    if (isCancelled || !context.inTask) await this.#change(workflow, run, { kind: 'cancel' });
    throw reason;
  }

  /** @throws ServiceError `conflict` where another one has gone on with the run */
  async #change(workflow: Workflow, run: Run, event: RunEvent): Promise<Run> {
    const { table, confirm, onEnd } = this.#parts;
    const state = after(workflow, run.inputs, run.state, event);
    if (!state) return run;
    const saved = await table.save(run, state, newsOf(run, state, event));
    if (!saved) {
      const newest = await table.find(run, run.id);
      if (newest?.state.status === 'cancelled')
        throw new ToolError('conflict', `the run ${run.id} was cancelled`);
      throw goesOnElsewhere(run);
    }
    const { page } = run.state;
    if (event.kind === 'cancel' && page !== undefined) await confirm.withdraw(run.tenant, page);
    if (hasEnded(state)) onEnd(saved);
    return saved;
  }
}

/** Where a run stands after an attempt at its step, and what has interrupted that. */
type Reached = { readonly run: Run } | { readonly run: Run; readonly reason: unknown };

interface StepWork {
  readonly step: WorkflowStep;
  readonly run: Run;
  readonly args: JsonObject;
  readonly scope: Scope;
  readonly context: CallContext;
  /** Keep that the call begins, where that matters after a crash. */
  readonly begin: () => Promise<void>;
}

/** What the bus hears; that a step begins is kept for this server alone. */
function newsOf(run: Run, state: Run['state'], event: RunEvent): RunNews | undefined {
  if (event.kind === 'begin') return undefined;
  if (state.status === 'completed' || state.status === 'failed' || state.status === 'cancelled') {
    return state.status;
  }
  if (event.kind === 'wait') return 'waiting';
  if (event.kind === 'resume') return 'resumed';
  return state.visit > run.state.visit ? 'stepCompleted' : 'checkpoint';
}

function goesOnElsewhere({ id }: Run): ServiceError {
  return new ServiceError('conflict', 409, `somebody else goes on with the run ${id}`);
}

/** Between two steps a run stops as soon as its server does: all that it has done is kept. */
function throwIfStopped(context: CallContext): void {
  const ended = endedSignal(context);
  if (ended) throw new StepInterrupted(ended.reason);
}

async function pause(ms: number, context: CallContext): Promise<void> {
  if (ms <= 0) return;
  const signal = waitSignal(context);
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new StepInterrupted(signal.reason);
  }
}

function endedSignal({ signal, stopping }: CallContext): AbortSignal | undefined {
  return [signal, stopping].find((each) => each?.aborted);
}

/** What ends a call that only waits. */
function waitSignal({ signal, stopping }: CallContext): AbortSignal {
  return stopping ? AbortSignal.any([signal, stopping]) : signal;
}
