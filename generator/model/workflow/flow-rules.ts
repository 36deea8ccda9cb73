import type { StepAction, WorkflowStep } from '#contract/workflow/workflow';
import type { Findings } from './finding.ts';

/** The steps of one workflow with the pointers of their actions. */
export interface PlacedStep {
  readonly step: WorkflowStep;
  readonly actions: readonly { readonly action: StepAction; readonly pointer: string }[];
}

/**
 * Report actions that lead nowhere, and those that lead back without a bound: a run has to come to an
 * end whatever its vendors answer.
 */
export function checkFlow(steps: readonly PlacedStep[], findings: Findings): void {
  const order = new Map(steps.map(({ step }, index) => [step.id, index]));
  for (const [index, { step, actions }] of steps.entries()) {
    for (const { action, pointer } of actions) {
      if (action.kind !== 'goto') continue;
      const target = order.get(action.step ?? '');
      if (target === undefined) continue;
      if (target > index || action.limit !== undefined) continue;
      const message = `the action ${action.name} leads from ${step.id} back to ${action.step} without a bound`;
      const help = 'say with x-limit how often it may be taken in a run';
      findings.add('FLOW005', pointer, message, help);
    }
  }
}

/** A workflow that runs others, and where it says so. */
export interface CallingWorkflow {
  readonly name: string;
  readonly calls: readonly { readonly name: string; readonly pointer: string }[];
}

/** Report workflows that run themselves, at once or through others. */
export function checkCalls(workflows: readonly CallingWorkflow[], findings: Findings): void {
  const known = new Map(workflows.map((workflow) => [workflow.name, workflow]));
  for (const { name, calls } of workflows) {
    for (const call of calls) {
      if (!reaches(call.name, name, known, new Set())) continue;
      const way = call.name === name ? 'itself' : `${call.name}, which leads back to it`;
      findings.add('FLOW005', call.pointer, `${name} runs ${way}: it would never end`);
    }
  }
}

function reaches(
  from: string,
  wanted: string,
  known: ReadonlyMap<string, CallingWorkflow>,
  seen: Set<string>,
): boolean {
  if (from === wanted) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return known.get(from)?.calls.some(({ name }) => reaches(name, wanted, known, seen)) ?? false;
}
