import type { Criterion, StepAction } from '#contract/workflow/workflow';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { isSafePattern } from '../../read/text/safe-pattern.ts';
import { conditionProblem, lookUp, type Names } from './expression-rules.ts';
import type { Findings } from './finding.ts';
import type { RawAction, RawCriterion } from './workflow-file.ts';

/** What the actions of a step are checked against. */
export interface ActionPlace {
  readonly names: Names;
  readonly steps: readonly string[];
  readonly findings: Findings;
}

/** Read the criteria of a step or an action (Arazzo 1.0.1, Criterion Object). */
export function planCriteria(
  all: readonly RawCriterion[] = [],
  at: string,
  { names, findings }: Pick<ActionPlace, 'names' | 'findings'>,
): readonly Criterion[] {
  return all.flatMap(({ condition, context, type = 'simple' }, index): Criterion[] => {
    const pointer = `${at}/${index}`;
    if (type === 'simple') {
      const problem = conditionProblem(condition, names);
      if (problem !== undefined) findings.add('FLOW002', `${pointer}/condition`, problem);
      return [{ condition }];
    }
    // Others are reported as what is not supported.
    if (type !== 'regex') return [];
    if (context === undefined) {
      const message = 'a criterion of type regex needs a context: the value that it is about';
      findings.add('FLOW002', pointer, message);
      return [];
    }
    const problem = lookUp(context, names);
    if (typeof problem === 'string') findings.add('FLOW002', `${pointer}/context`, problem);
    if (!isSafePattern(condition)) {
      const message = `the pattern ${JSON.stringify(condition)} is none, or could take for ever`;
      findings.add('FLOW002', `${pointer}/condition`, message);
    }
    return [{ context, pattern: condition }];
  });
}

/** Read the actions of a step, then those that its workflow has for all steps under other names. */
export function planActions(
  own: { readonly raw: readonly RawAction[] | undefined; readonly at: string },
  shared: { readonly raw: readonly RawAction[] | undefined; readonly at: string },
  onFailure: boolean,
  place: ActionPlace,
): readonly { readonly action: StepAction; readonly pointer: string }[] {
  const all = [own, shared].flatMap(({ raw = [], at }) =>
    raw.flatMap((action, index) => planAction(action, `${at}/${index}`, onFailure, place)),
  );
  const seen = new Set<string>();
  return all.filter(({ action: { name } }) => !seen.has(name) && seen.add(name));
}

const defaultRetries = 1;

function planAction(
  raw: RawAction,
  pointer: string,
  onFailure: boolean,
  place: ActionPlace,
): readonly { readonly action: StepAction; readonly pointer: string }[] {
  const { findings, steps } = place;
  const { name, type, stepId, retryAfter, retryLimit, reference, workflowId } = raw;
  // Reported as what is not supported.
  if (reference !== undefined || workflowId !== undefined) return [];
  if (name === undefined || type === undefined) {
    const missing = name === undefined ? 'name' : 'type';
    findings.add('FLOW006', pointer, `the action has no ${missing}`);
    return [];
  }
  if (type === 'retry' && !onFailure) {
    findings.add(
      'FLOW006',
      `${pointer}/type`,
      `${name} does again what has succeeded: retry is for failures`,
    );
    return [];
  }
  if (type === 'goto' && stepId === undefined) {
    findings.add('FLOW006', pointer, `${name} is of type goto and names no stepId`);
    return [];
  }
  if (type === 'goto' && stepId !== undefined && !steps.includes(stepId)) {
    const message = `${name} goes to ${JSON.stringify(stepId)}, which is no step of this workflow`;
    findings.add('FLOW006', `${pointer}/stepId`, message, suggestion(stepId, steps));
    return [];
  }
  const limit = type === 'retry' ? (retryLimit ?? defaultRetries) : raw['x-limit'];
  const action: StepAction = {
    name,
    kind: type,
    ...(type === 'goto' && { step: stepId }),
    ...(type === 'retry' && { afterMs: Math.round((retryAfter ?? 0) * 1000) }),
    ...(limit !== undefined && type !== 'end' && { limit }),
    criteria: planCriteria(raw.criteria, `${pointer}/criteria`, place),
  };
  return [{ action, pointer }];
}
