import type { Json } from '#contract/json';
import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';

/** A step that says the least that one must say. */
export function stepOf(step: Partial<WorkflowStep> & { readonly id: string }): WorkflowStep {
  const rest = { repeat: 'safe', arguments: {}, success: [], outputs: {} } as const;
  const target = step.workflow === undefined ? { tool: `test_${step.id}` } : {};
  return { ...rest, ...target, onSuccess: [], onFailure: [], ...step };
}

/** A workflow of these steps. */
export function workflowOf(
  name: string,
  steps: readonly WorkflowStep[],
  outputs: Readonly<Record<string, string>> = {},
): Workflow {
  return {
    definition: {
      name,
      description: `The workflow ${name}`,
      annotations: { readOnlyHint: false, openWorldHint: false },
      access: ['mcp.tools'],
      task: 'optional',
      resumes: true,
      input: { type: 'object', properties: { text: { type: 'string' } } },
      output: { type: 'object', properties: { outputs: { type: 'object' } } },
    },
    revision: 'one',
    providers: [],
    steps,
    outputs,
  };
}

/** An expression for each of these names. */
export function outputsOf(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `$response.body#/${name}`]));
}

/** What stands for anything. */
export const anything: Json = { items: [{ id: 1 }], name: 'a' };
