import type { JsonSchema } from '#contract/json';
import type { OperationAudit } from '#contract/operation';
import type { ToolDefinition } from '#contract/tool';
import type { RawWorkflow } from './workflow-file.ts';

/** The argument with which a workflow only says what it would do. */
export const dryRun = 'dry_run';

const dryRunSchema = {
  type: 'boolean',
  description: 'Say what would be done, and do nothing',
  default: false,
} as const;

/** The arguments of the tool: the inputs of the workflow, and whether it shall do anything. */
function inputOf({ inputs }: RawWorkflow): JsonSchema {
  const { properties = {}, required = [], $defs } = inputs ?? {};
  return {
    type: 'object',
    properties: { ...(properties as object), [dryRun]: dryRunSchema },
    ...((required as readonly string[]).length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** What the tool gives back. */
function outputOf({ outputs = {} }: RawWorkflow): JsonSchema {
  const names = Object.keys(outputs);
  return {
    type: 'object',
    properties: {
      run: { type: 'string', description: 'Id of the run, for workflow_runs' },
      state: { type: 'string', description: 'completed, or dry_run' },
      outputs: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, {}])),
      },
      plan: { type: 'array', items: { type: 'object' }, description: 'The calls of a dry run' },
    },
  };
}

/** The tool that a workflow is: it may do what its steps may, and asks for the scopes of all of them. */
export function definitionOf(
  raw: RawWorkflow,
  steps: readonly Pick<ToolDefinition, 'annotations' | 'access' | 'audit'>[],
): ToolDefinition {
  const { workflowId: name, summary: title, description } = raw;
  const scopes = steps.flatMap(({ access }) => (access === 'public' ? [] : access));
  const readOnly = steps.every(({ annotations }) => annotations.readOnlyHint);
  const repeatable = steps.every(
    ({ annotations }) => annotations.readOnlyHint || annotations.idempotentHint === true,
  );
  const audit = auditOf(steps, readOnly);
  return {
    name,
    title,
    description: description ?? `${title}.`,
    annotations: {
      readOnlyHint: readOnly,
      ...(!readOnly && {
        destructiveHint: steps.some(
          ({ annotations }) => !annotations.readOnlyHint && annotations.destructiveHint !== false,
        ),
      }),
      ...(repeatable && { idempotentHint: true }),
      openWorldHint: steps.some(({ annotations }) => annotations.openWorldHint),
    },
    access: scopes.length === 0 ? ['mcp.tools'] : [...new Set(scopes)].sort(),
    ...(audit && { audit }),
    ...(!readOnly && { idempotency: 'optional' as const }),
    task: 'optional',
    resumes: true,
    input: inputOf(raw),
    output: outputOf(raw),
  };
}

function auditOf(
  steps: readonly Pick<ToolDefinition, 'audit'>[],
  readOnly: boolean,
): OperationAudit | undefined {
  if (steps.some(({ audit }) => audit === 'intent')) return 'intent';
  return readOnly && steps.every(({ audit }) => audit === undefined) ? undefined : 'outcome';
}
