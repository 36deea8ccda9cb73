import assert from 'node:assert/strict';
import { ToolError } from '#contract/errors';
import type { JsonSchema } from '#contract/json';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import { authenticateLocal } from '../../../runtime/admission/local-caller.ts';
import { toolOf } from '../in-memory-tools.ts';

const admission = createAdmission({ callRate: 0 });

/** What a model reads when it calls a tool with these arguments; `nothing` where they are right. */
export async function complaintOf(
  args: Record<string, unknown>,
  schema: JsonSchema,
): Promise<string> {
  const { definition, call } = toolOf({ name: 'acme_list', input: schema });
  const run = admission.admit(definition, call);
  try {
    await run(args, new Call(authenticateLocal(terminalArrival)));
  } catch (error) {
    assert.ok(error instanceof ToolError);
    assert.equal(error.code, 'invalid_arguments');
    return error.message;
  }
  return 'nothing';
}
