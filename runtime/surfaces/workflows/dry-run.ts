import type { Json, JsonObject } from '#contract/json';
import { expressionsIn, parseExpression, resolveValue } from '#contract/workflow/expression';
import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';

/**
 * What a run would do, in the order in which its steps stand: each call with its arguments, as far as
 * the inputs decide them. What depends on answers stays the expression that it is.
 */
export function planOf({ steps }: Workflow, inputs: JsonObject): readonly JsonObject[] {
  return steps.map((step) => ({
    step: step.id,
    ...(step.description !== undefined && { does: step.description }),
    ...(step.tool !== undefined && { tool: step.tool }),
    ...(step.workflow !== undefined && { workflow: step.workflow }),
    arguments: known(step.arguments, inputs) as JsonObject,
    ...(step.approval !== undefined && { asks: known(step.approval, inputs) }),
    ...(nextOf(step).length > 0 && { next: nextOf(step) }),
  }));
}

/** A value with the inputs in it; texts that speak of answers stay as they are. */
function known(value: Json, inputs: JsonObject): Json {
  if (typeof value === 'string') {
    const isKnown = expressionsIn(value).every(
      ({ text }) => parseExpression(text).root === 'inputs',
    );
    return isKnown ? (resolveValue(value, { inputs, steps: {} }) ?? value) : value;
  }
  if (Array.isArray(value)) return value.map((member) => known(member, inputs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, known(member as Json, inputs)]),
  );
}

function nextOf({ onSuccess, onFailure }: WorkflowStep): readonly string[] {
  const told = (when: string, actions: WorkflowStep['onSuccess']) =>
    actions.map(({ name, kind, step, limit, criteria }) => {
      const target = step === undefined ? '' : ` ${step}`;
      const bound = limit === undefined ? '' : `, at most ${limit} times`;
      const conditions = criteria.map((each) =>
        'condition' in each ? each.condition : `${each.context} matches ${each.pattern}`,
      );
      const only = conditions.length > 0 ? ` if ${conditions.join(' and ')}` : '';
      return `${name}: on ${when}${only}, ${kind}${target}${bound}`;
    });
  return [...told('success', onSuccess), ...told('failure', onFailure)];
}
