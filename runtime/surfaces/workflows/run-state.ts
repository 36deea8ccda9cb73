import type { Json } from '#contract/json';
import { compilePattern } from '#contract/schema/pattern';
import { holds, parseCondition } from '#contract/workflow/condition';
import { evaluate, parseExpression, type Scope } from '#contract/workflow/expression';
import type { Criterion, StepAction, Workflow, WorkflowStep } from '#contract/workflow/workflow';

/** Calls that one run may make: what its vendors answer must not keep it running for ever. */
export const mostCalls = 1000;
/** Characters of the JSON text of a state; steps keep what their outputs name, and nothing else. */
export const mostStateCharacters = 256 * 1024;

export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** Where a run stands. It changes in `after` alone. */
export interface RunState {
  readonly status: RunStatus;
  /** The step that comes next or is being done; the last one after the end. */
  readonly step: string;
  /** Its call was begun, and nobody knows what came of it. */
  readonly begun?: true;
  /** How often the run has come to a step: with the step, it names one act at a vendor. */
  readonly visit: number;
  /** Failures of this step in a row that were answered with a retry. */
  readonly retries: number;
  /** Calls that came to an end, well or not. */
  readonly calls: number;
  /** Not before this time (ms). */
  readonly dueAt?: number;
  /** What it waits for, for people to read. */
  readonly waitsFor?: string;
  /** The page on which a person is asked. */
  readonly page?: string;
  /** How often each bounded goto was taken, by step and name. */
  readonly taken: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Third parties wrote something of this. */
  readonly untrusted?: true;
  /** What the workflow gives, once it is completed. */
  readonly result?: Readonly<Record<string, Json>>;
  readonly failure?: RunFailure;
}

export interface RunFailure {
  readonly step: string;
  readonly code: string;
  readonly message: string;
  /** Nothing of the message was written by third parties. */
  readonly isOwn?: true;
}

/** What came of the call of a step. */
export interface StepOutcome {
  readonly ok: boolean;
  /** That of the vendor, or the one that says the same. */
  readonly statusCode: number;
  readonly body: Json;
  readonly untrusted: boolean;
  /** How it failed. */
  readonly failure?: Omit<RunFailure, 'step' | 'isOwn'> & {
    /** Nobody knows whether it took effect. */
    readonly isUnclear?: true;
    readonly retryAfterMs?: number | undefined;
  };
}

export type RunEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'outcome'; readonly outcome: StepOutcome; readonly now: number }
  | { readonly kind: 'wait'; readonly for: string; readonly page?: string | undefined }
  | { readonly kind: 'resume' }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string }
  | { readonly kind: 'cancel' };

type Inputs = Readonly<Record<string, unknown>>;

/** A run that has not begun. */
export function firstState({ steps }: Workflow): RunState {
  const step = steps[0]?.id ?? '';
  return { status: 'running', step, visit: 1, retries: 0, calls: 0, taken: {}, outputs: {} };
}

/** Whether nothing can happen to a run any more. */
export function hasEnded({ status }: Pick<RunState, 'status'>): boolean {
  return status !== 'running' && status !== 'waiting';
}

/** Whether third parties wrote something of what a run gives: its outputs, or why it failed. */
export function isUntrusted({ untrusted, failure }: RunState): boolean {
  return untrusted === true && failure?.isOwn !== true;
}

/** What went wrong with a run, or may have; nothing where all is well. */
export function errorOf({ status, step, begun, failure }: RunState): string | undefined {
  if (failure) return `${failure.code}: ${failure.message}`;
  if (status !== 'cancelled' || !begun) return undefined;
  return `cancelled: the step ${step} had begun and may have taken effect; check that before you try again`;
}

/**
 * The one place where a run changes: gives what it is after `event`, and nothing where the event means
 * nothing to it. What has ended never changes again.
 */
export function after(
  workflow: Workflow,
  inputs: Inputs,
  state: RunState,
  event: RunEvent,
): RunState | undefined {
  if (hasEnded(state)) return undefined;
  switch (event.kind) {
    case 'begin':
      return state.status === 'running' && !state.begun ? { ...state, begun: true } : undefined;
    case 'wait':
      return {
        ...without(answered(state), 'begun'),
        ...{ status: 'waiting', waitsFor: event.for },
        ...(event.page !== undefined && { page: event.page }),
      };
    case 'resume':
      return { ...answered(state), status: 'running' };
    case 'cancel':
      return { ...answered(state), status: 'cancelled' };
    case 'fail':
      return failed(state, event.code, event.message);
    case 'outcome':
      // Of what waits too: whoever refuses on a page ends the wait, and no call begins.
      return next(workflow, inputs, { ...answered(state), status: 'running' }, event);
  }
}

function next(
  workflow: Workflow,
  inputs: Inputs,
  state: RunState,
  { outcome, now }: RunEvent & { readonly kind: 'outcome' },
): RunState {
  const step = stepOf(workflow, state.step);
  const known = without(without(state, 'begun'), 'dueAt');
  const at: RunState = {
    ...known,
    calls: state.calls + 1,
    ...(outcome.untrusted && { untrusted: true }),
  };
  const response = { statusCode: outcome.statusCode, body: outcome.body };
  const scope: Scope = { inputs, steps: at.outputs, response };
  const succeeded = step.success.length === 0 ? outcome.ok : all(step.success, scope);
  if (!succeeded) return afterFailure(workflow, inputs, { step, state: at, scope, outcome, now });
  const outputs = { ...at.outputs, [step.id]: valuesOf(step.outputs, scope) };
  const done = { ...at, outputs };
  const inside: Scope = { ...scope, steps: outputs };
  const action = step.onSuccess.find(
    (each) => isOpen(each, step, done) && all(each.criteria, inside),
  );
  if (action !== undefined) return act(action, workflow, inputs, step, done);
  const position = workflow.steps.indexOf(step);
  const following = workflow.steps[position + 1];
  return following ? reached(following.id, done) : completed(workflow, inputs, done);
}

interface Failed {
  readonly step: WorkflowStep;
  readonly state: RunState;
  readonly scope: Scope;
  readonly outcome: StepOutcome;
  readonly now: number;
}

function afterFailure(
  workflow: Workflow,
  inputs: Inputs,
  { step, state, scope, outcome, now }: Failed,
): RunState {
  const { failure } = outcome;
  // What may have taken effect, and must not twice, is not done again, whoever asks for it.
  const mayRepeat = !(failure?.isUnclear && step.repeat === 'once');
  const action = step.onFailure.find(
    (each) =>
      (each.kind !== 'retry' || mayRepeat) &&
      isOpen(each, step, state) &&
      all(each.criteria, scope),
  );
  if (action?.kind === 'retry') {
    const waitMs = Math.max(action.afterMs ?? 0, failure?.retryAfterMs ?? 0);
    return bounded({
      ...state,
      retries: state.retries + 1,
      ...(waitMs > 0 && { dueAt: now + waitMs }),
    });
  }
  if (action !== undefined) return act(action, workflow, inputs, step, state);
  if (failure === undefined) {
    return failed(state, 'conflict', 'its answer is not what the success criteria ask for');
  }
  const unclear = mayRepeat ? '' : '; it may have taken effect, so it was not done again';
  return failed(state, failure.code, `${failure.message}${unclear}`, !outcome.untrusted);
}

function act(
  { kind, name, step: target, limit }: StepAction,
  workflow: Workflow,
  inputs: Inputs,
  step: WorkflowStep,
  state: RunState,
): RunState {
  if (kind !== 'goto' || target === undefined) return completed(workflow, inputs, state);
  const key = takenKey(step, name);
  const taken =
    limit === undefined ? state.taken : { ...state.taken, [key]: (state.taken[key] ?? 0) + 1 };
  return reached(target, { ...state, taken });
}

/** Whether an action may still be taken. */
function isOpen({ kind, name, limit }: StepAction, step: WorkflowStep, state: RunState): boolean {
  if (limit === undefined) return true;
  return kind === 'retry'
    ? state.retries < limit
    : (state.taken[takenKey(step, name)] ?? 0) < limit;
}

function takenKey({ id }: WorkflowStep, action: string): string {
  return `${id}/${action}`;
}

function reached(step: string, state: RunState): RunState {
  return bounded({ ...state, step, visit: state.visit + 1, retries: 0 });
}

function completed(workflow: Workflow, inputs: Inputs, state: RunState): RunState {
  const result = valuesOf(workflow.outputs, { inputs, steps: state.outputs });
  return bounded({ ...state, status: 'completed', result });
}

function failed(state: RunState, code: string, message: string, isOwn = true): RunState {
  const failure = { step: state.step, code, message, ...(isOwn && { isOwn }) } as const;
  return { ...without(answered(state), 'dueAt'), status: 'failed', failure };
}

/** A run that grows beyond its limits fails; what it has of its outputs until then stays. */
function bounded(state: RunState): RunState {
  if (state.calls >= mostCalls && state.status === 'running') {
    return failed(state, 'rate_limited_local', `a run makes at most ${mostCalls} calls`);
  }
  const { length } = JSON.stringify(state);
  if (length <= mostStateCharacters) return state;
  const { outputs: _, result: __, ...rest } = state;
  const message = `a run keeps ${mostStateCharacters} characters of outputs, and this one has ${length}; let its steps give less`;
  return failed({ ...rest, outputs: {} }, 'response_too_large', message);
}

function valuesOf(
  outputs: Readonly<Record<string, string>>,
  scope: Scope,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, text]) => [
      name,
      (evaluate(parseExpression(text), scope) ?? null) as Json,
    ]),
  );
}

function all(criteria: readonly Criterion[], scope: Scope): boolean {
  return criteria.every((criterion) => {
    if ('condition' in criterion) return holds(parseCondition(criterion.condition), scope);
    const value = evaluate(parseExpression(criterion.context), scope);
    if (value === undefined || value === null) return false;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return compilePattern(criterion.pattern).test(text);
  });
}

/** @throws Error where a run names a step that its workflow does not have */
export function stepOf({ steps, definition }: Workflow, id: string): WorkflowStep {
  const step = steps.find((each) => each.id === id);
  if (!step) throw new Error(`${definition.name} has no step ${id}`);
  return step;
}

/** A state that waits for nobody. */
function answered(state: RunState): RunState {
  return without(without(state, 'waitsFor'), 'page');
}

function without<Key extends keyof RunState>(
  state: RunState,
  key: Key,
): Omit<RunState, Key> & RunState {
  const { [key]: _, ...rest } = state;
  return rest as Omit<RunState, Key> & RunState;
}
