import type { Json } from '../json.ts';
import type { ToolDefinition } from '../tool.ts';

/**
 * What may be done about a step of which nobody knows whether it took effect: `safe` is done again,
 * `keyed` is done again with the same key of its vendor, `once` never is.
 */
export type Repetition = 'safe' | 'keyed' | 'once';

/** Something that has to hold: a simple condition, or a pattern that a value has to match. */
export type Criterion =
  | { readonly condition: string }
  | { readonly context: string; readonly pattern: string };

/** What happens after a step, where all of its criteria hold. */
export interface StepAction {
  readonly name: string;
  readonly kind: 'end' | 'goto' | 'retry';
  /** Where it goes on (`goto`). */
  readonly step?: string;
  /** How long it waits before (`retry`). */
  readonly afterMs?: number;
  /** How often it may be taken: of `retry` in a row, of `goto` in a run. */
  readonly limit?: number;
  readonly criteria: readonly Criterion[];
}

/** One step: a call of a tool or of another workflow. Texts may hold expressions. */
export interface WorkflowStep {
  readonly id: string;
  readonly description?: string;
  /** Name of the tool; absent where it runs a workflow. */
  readonly tool?: string;
  readonly workflow?: string;
  readonly repeat: Repetition;
  readonly arguments: { readonly [name: string]: Json };
  /** What a person has to agree to before it is done. */
  readonly approval?: string;
  /** What has to hold for it to have succeeded; where nothing is said, that the call succeeds. */
  readonly success: readonly Criterion[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly onSuccess: readonly StepAction[];
  readonly onFailure: readonly StepAction[];
}

/** A workflow: what a durable run of several tools does (Arazzo 1.0.1, Workflow Object). */
export interface Workflow {
  /** As callers see it: a tool like any other. */
  readonly definition: ToolDefinition;
  /** Changes with every change of the steps: a run goes on only with those that it began with. */
  readonly revision: string;
  /** The vendors without which it cannot run. */
  readonly providers: readonly string[];
  readonly steps: readonly WorkflowStep[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** A workflow that can be loaded. */
export interface WorkflowEntry {
  readonly name: string;
  readonly providers: readonly string[];
  readonly load: () => Promise<Workflow>;
}

/** Check a generated workflow against its type. */
export function defineWorkflow(workflow: Workflow): Workflow {
  return workflow;
}
