import type { CallContext } from '#contract/caller';
import { lackedFor } from '#contract/client';
import { ToolError, type ToolErrorCode, toolErrorCodes } from '#contract/errors';
import type { OfferedTools } from '#contract/house/offered-tools';
import type { JsonObject } from '#contract/json';
import { structuredResult } from '#contract/text/tool-result';
import type { Tool, ToolResult } from '#contract/tool';
import type { Workflow } from '#contract/workflow/workflow';
import { planOf } from './dry-run.ts';
import type { WorkflowEngine } from './engine.ts';
import { errorOf, isUntrusted } from './run-state.ts';
import type { Run } from './run-table.ts';

export interface WorkflowToolParts {
  readonly engine: Pick<WorkflowEngine, 'run'>;
  readonly tools: Pick<OfferedTools, 'definition'>;
  /** The workflow of this name, for steps that run one. */
  readonly find: (name: string) => Promise<Workflow | undefined>;
}

/** Whose data a workflow gives back. */
const title = 'the tools that a workflow called';

/** The tool that a workflow is. */
export function workflowTool(workflow: Workflow, parts: WorkflowToolParts): Tool {
  const { definition } = workflow;
  return {
    definition,
    async call({ dry_run: isDry, ...inputs }, context) {
      // Its schema takes nothing but what JSON carries.
      const given = inputs as JsonObject;
      if (isDry === true) return result({ state: 'dry_run', plan: planOf(workflow, given) });
      await requireTools(workflow, parts, context);
      return resultOf(workflow, await parts.engine.run(workflow, given, context));
    },
  };
}

/** Nothing is begun that cannot come to its end for want of a tool, or of somebody who can be asked. */
async function requireTools(
  workflow: Workflow,
  parts: WorkflowToolParts,
  { caller, client, inTask }: CallContext,
): Promise<void> {
  const { name } = workflow.definition;
  let asks: string | undefined;
  for (const { id, tool, approval } of await stepsUnder(workflow, parts)) {
    const definition = await parts.tools.definition(tool, caller.tenant);
    if (!definition) {
      const message = `${name} needs the tool ${tool}, which is not offered here; nothing was done`;
      throw new ToolError('not_found', message);
    }
    if (approval !== undefined || definition.confirm !== undefined) asks ??= id;
  }
  if (asks === undefined || inTask || isAskable(client)) return;
  const message = `${name} asks a person to agree to its step ${asks}: use a client that knows tasks or elicitation; nothing was done`;
  throw new ToolError('confirmation_required', message);
}

type ToolStep = Workflow['steps'][number] & { readonly tool: string };

/** The steps that call tools, also those of the workflows that it runs: none runs itself. */
async function stepsUnder(
  { steps }: Workflow,
  { find }: Pick<WorkflowToolParts, 'find'>,
): Promise<readonly ToolStep[]> {
  const found = await Promise.all(
    steps.map(async (step) => {
      if (step.tool !== undefined) return [{ ...step, tool: step.tool }];
      const inner = await find(step.workflow ?? '');
      return inner ? stepsUnder(inner, { find }) : [];
    }),
  );
  return found.flat();
}

function isAskable({ capabilities }: CallContext['client']): boolean {
  const form = { message: '', requestedSchema: {} };
  const page = { mode: 'url', message: '', url: '' } as const;
  return [form, page].some(
    (params) => lackedFor({ method: 'elicitation/create', params }, capabilities) === undefined,
  );
}

/** @throws ToolError where the run has not come to a good end */
function resultOf({ definition: { name } }: Workflow, { id, state }: Run): ToolResult {
  const { status, failure, result: outputs = {} } = state;
  const untrusted = isUntrusted(state);
  if (status === 'completed') return result({ run: id, state: status, outputs }, untrusted);
  if (failure === undefined) {
    throw new ToolError('conflict', errorOf(state) ?? `the run ${id} was cancelled`);
  }
  const { code, message, step } = failure;
  const known: ToolErrorCode = toolErrorCodes.find((each) => each === code) ?? 'upstream_error';
  throw new ToolError(known, `${name} failed at ${step}: ${message}`, {
    retryable: false,
    details: { run: id, step },
    untrusted,
  });
}

function result(value: JsonObject, untrusted = false): ToolResult {
  return structuredResult({ value, text: JSON.stringify(value) }, { untrusted, title });
}
