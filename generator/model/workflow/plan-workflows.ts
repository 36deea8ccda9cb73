import { createHash } from 'node:crypto';
import type { Json, JsonSchema } from '#contract/json';
import { isObject } from '#contract/json';
import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';
import { suggestion } from '../../diagnostics/suggestion.ts';
import { schemaFault } from '../schema/schema-check.ts';
import { planArguments } from './argument-rules.ts';
import type { CalledTool, SourceTools } from './called-tools.ts';
import { type Names, outputProblem, type StepOutputs, valueProblems } from './expression-rules.ts';
import { type Finding, Findings } from './finding.ts';
import { checkCalls, checkFlow, type PlacedStep } from './flow-rules.ts';
import { planActions, planCriteria } from './plan-actions.ts';
import { reportUnsupported } from './unsupported.ts';
import { definitionOf, dryRun } from './workflow-definition.ts';
import type { RawStep, RawWorkflow, WorkflowFile } from './workflow-file.ts';

/** A workflow with the place where it is written. */
export interface PlannedWorkflow extends Workflow {
  /** JSON pointer into its document. */
  readonly pointer: string;
}

/** What a step calls; nothing where that was not found. */
type Called =
  | { readonly kind: 'tool'; readonly tool: CalledTool }
  | { readonly kind: 'workflow'; readonly raw: RawWorkflow };

interface Planning {
  readonly file: WorkflowFile;
  readonly sources: ReadonlyMap<string, SourceTools>;
  readonly findings: Findings;
}

/** Turn a document into workflows, and say what is wrong with it. */
export function planWorkflows(
  file: WorkflowFile,
  sources: ReadonlyMap<string, SourceTools>,
): { readonly workflows: readonly PlannedWorkflow[]; readonly findings: readonly Finding[] } {
  const findings = new Findings();
  const planning = { file, sources, findings };
  reportUnsupported(file, findings);
  checkSources(planning);
  const ids = file.workflows.map(({ workflowId }) => workflowId);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) === index) continue;
    findings.add('FLOW001', `/workflows/${index}/workflowId`, `the workflow ${id} is listed twice`);
  }
  checkCalls(
    file.workflows.map(({ workflowId: name, steps }, index) => ({
      name,
      calls: steps.flatMap(({ workflowId }, position) => {
        const pointer = `/workflows/${index}/steps/${position}/workflowId`;
        return workflowId === undefined ? [] : [{ name: workflowId, pointer }];
      }),
    })),
    findings,
  );
  if (findings.all.some(({ code }) => code === 'FLOW005'))
    return { workflows: [], findings: findings.all };
  const workflows = file.workflows.map((raw, index) => planWorkflow(raw, index, planning));
  return { workflows, findings: findings.all };
}

function checkSources({ file, sources, findings }: Planning): void {
  const names = new Set<string>();
  for (const [index, { name, url }] of file.sourceDescriptions.entries()) {
    const at = `/sourceDescriptions/${index}`;
    if (names.has(name))
      findings.add('FLOW001', `${at}/name`, `the source ${name} is listed twice`);
    names.add(name);
    if (sources.has(url)) continue;
    const message = `${JSON.stringify(url)} is no provider and no surface of this server`;
    findings.add('FLOW003', `${at}/url`, message, suggestion(url, [...sources.keys()]));
  }
}

function planWorkflow(raw: RawWorkflow, index: number, planning: Planning): PlannedWorkflow {
  const { findings } = planning;
  const pointer = `/workflows/${index}`;
  const inputs = checkedInputs(raw, pointer, findings);
  const stepIds = raw.steps.map(({ stepId }) => stepId);
  // With a way back, what stands below may have run before.
  const isLooping = raw.steps.some((step) =>
    [...(step.onSuccess ?? []), ...(step.onFailure ?? [])].some(({ type }) => type === 'goto'),
  );
  const calls = raw.steps.map((step, position) =>
    calledBy(step, `${pointer}/steps/${position}`, planning),
  );
  const all = new Map<string, StepOutputs>();
  const bodies = raw.steps.map((step, position) => {
    const called = calls[position];
    const names: Names = {
      ...{ inputs, steps: all, isWorkflow: called?.kind === 'workflow' },
      body: bodyOf(called),
    };
    return { id: step.stepId, of: { outputs: step.outputs ?? {}, names } };
  });
  if (isLooping) for (const { id, of } of bodies) all.set(id, of);
  const steps = raw.steps.map((step, position): PlacedStep => {
    const at = `${pointer}/steps/${position}`;
    if (stepIds.indexOf(step.stepId) !== position) {
      findings.add('FLOW001', `${at}/stepId`, `the step ${step.stepId} is listed twice`);
    }
    const before: Names = { inputs, steps: new Map(all) };
    const here: Names = { ...(bodies[position]?.of.names ?? before), steps: before.steps };
    const placed = planStep(
      step,
      { at, pointer, raw, called: calls[position], before, here, stepIds },
      planning,
    );
    const own = bodies[position];
    if (own) all.set(own.id, own.of);
    return placed;
  });
  for (const [name, text] of Object.entries(raw.outputs ?? {})) {
    const problem = outputProblem(text, { inputs, steps: all });
    if (problem !== undefined) findings.add('FLOW002', `${pointer}/outputs/${name}`, problem);
  }
  checkFlow(steps, findings);
  const bare = steps.map(({ step }) => step);
  const used = toolsUnder(raw, planning);
  return {
    definition: definitionOf(
      raw,
      used.map(({ definition }) => definition),
    ),
    revision: createHash('sha256')
      .update(JSON.stringify([bare, raw.outputs ?? {}]))
      .digest('hex')
      .slice(0, 16),
    providers: [...new Set(used.flatMap(({ provider }) => provider ?? []))].sort(),
    steps: bare,
    outputs: raw.outputs ?? {},
    pointer,
  };
}

function checkedInputs(raw: RawWorkflow, pointer: string, findings: Findings): JsonSchema {
  const { inputs } = raw;
  const properties = isObject(inputs?.['properties']) ? inputs['properties'] : {};
  if (Object.hasOwn(properties, dryRun)) {
    const message = `the input ${dryRun} is one that every workflow has of its own`;
    findings.add('FLOW001', `${pointer}/inputs/properties/${dryRun}`, message);
  }
  const fault = inputs && schemaFault(inputs);
  if (fault)
    findings.add(
      'SPEC005',
      `${pointer}/inputs${fault.at}`,
      `the inputs are no JSON Schema: ${fault.message}`,
    );
  return inputs ?? { type: 'object', properties: {} };
}

function bodyOf(called: Called | undefined): Names['body'] {
  if (called?.kind === 'tool') return called.tool.definition.output ?? 'anything';
  if (called === undefined) return 'anything';
  const outputs = Object.keys(called.raw.outputs ?? {});
  return { type: 'object', properties: Object.fromEntries(outputs.map((name) => [name, {}])) };
}

interface StepPlace {
  readonly at: string;
  readonly pointer: string;
  readonly raw: RawWorkflow;
  readonly called: Called | undefined;
  readonly before: Names;
  readonly here: Names;
  readonly stepIds: readonly string[];
}

function planStep(step: RawStep, place: StepPlace, { findings }: Planning): PlacedStep {
  const { at, pointer, raw, called, before, here, stepIds } = place;
  const approval = step['x-approval'];
  for (const { message } of valueProblems(approval ?? '', before)) {
    findings.add('FLOW002', `${at}/x-approval`, message);
  }
  for (const [name, text] of Object.entries(step.outputs ?? {})) {
    const problem = outputProblem(text, here);
    if (problem !== undefined) findings.add('FLOW002', `${at}/outputs/${name}`, problem);
  }
  const actionPlace = { names: here, steps: stepIds, findings };
  const onSuccess = planActions(
    { raw: step.onSuccess, at: `${at}/onSuccess` },
    { raw: raw.successActions, at: `${pointer}/successActions` },
    false,
    actionPlace,
  );
  const onFailure = planActions(
    { raw: step.onFailure, at: `${at}/onFailure` },
    { raw: raw.failureActions, at: `${pointer}/failureActions` },
    true,
    actionPlace,
  );
  const args = called === undefined ? {} : argumentsOf(step, called, place, findings);
  const planned: WorkflowStep = {
    id: step.stepId,
    ...(step.description !== undefined && { description: step.description }),
    ...(called?.kind === 'tool' && { tool: called.tool.definition.name }),
    ...(called?.kind === 'workflow' && { workflow: called.raw.workflowId }),
    // A run of another workflow goes on where it was.
    repeat: called?.kind === 'tool' ? called.tool.repeat : 'safe',
    arguments: args,
    ...(approval !== undefined && { approval }),
    success: planCriteria(step.successCriteria, `${at}/successCriteria`, actionPlace),
    outputs: step.outputs ?? {},
    onSuccess: onSuccess.map(({ action }) => action),
    onFailure: onFailure.map(({ action }) => action),
  };
  return { step: planned, actions: [...onSuccess, ...onFailure] };
}

function argumentsOf(
  step: RawStep,
  called: Called,
  { at, pointer, raw, before }: StepPlace,
  findings: Findings,
): Readonly<Record<string, Json>> {
  const callee =
    called.kind === 'tool'
      ? {
          name: called.tool.definition.name,
          input: called.tool.definition.input,
          isWorkflow: false,
        }
      : {
          name: called.raw.workflowId,
          input: called.raw.inputs ?? { type: 'object', properties: {} },
          isWorkflow: true,
        };
  const places = { step: at, workflow: pointer };
  return planArguments(step, raw.parameters ?? [], places, { callee, names: before, findings });
}

function calledBy(
  step: RawStep,
  at: string,
  { file, sources, findings }: Planning,
): Called | undefined {
  const { operationId, operationPath, workflowId, stepId } = step;
  const targets = [operationId, operationPath, workflowId].filter((each) => each !== undefined);
  if (targets.length !== 1) {
    const message = `the step ${stepId} must have one of operationId and workflowId`;
    findings.add('FLOW003', at, message);
    return undefined;
  }
  if (workflowId !== undefined) {
    const raw = file.workflows.find((each) => each.workflowId === workflowId);
    if (raw) return { kind: 'workflow', raw };
    const known = file.workflows.map((each) => each.workflowId);
    const message = `${JSON.stringify(workflowId)} is no workflow of this file`;
    findings.add('FLOW003', `${at}/workflowId`, message, suggestion(workflowId, known));
    return undefined;
  }
  if (operationId === undefined) return undefined;
  return toolOf(operationId, `${at}/operationId`, { file, sources, findings });
}

function toolOf(operationId: string, pointer: string, planning: Planning): Called | undefined {
  const { file, sources, findings } = planning;
  const [, named, rest] = /^\$sourceDescriptions\.([\w-]+)\.(.+)$/.exec(operationId) ?? [];
  const [only, ...others] = file.sourceDescriptions;
  if (named === undefined && others.length > 0) {
    const message = `there are several sources: write $sourceDescriptions.<name>.${operationId}`;
    findings.add('FLOW003', pointer, message);
    return undefined;
  }
  const source =
    named === undefined ? only : file.sourceDescriptions.find(({ name }) => name === named);
  if (!source) {
    const known = file.sourceDescriptions.map(({ name }) => name);
    const message = `there is no source ${JSON.stringify(named)}`;
    findings.add('FLOW003', pointer, message, suggestion(named ?? '', known));
    return undefined;
  }
  const tools = sources.get(source.url);
  // Said of the source.
  if (!tools) return undefined;
  const id = rest ?? operationId;
  const tool = tools.get(id);
  if (tool?.definition.confirm === 'token') {
    const message = `${tool.definition.name} wants its caller to confirm each call with a token, which a step cannot`;
    findings.add('FLOW003', pointer, message);
    return undefined;
  }
  if (tool) return { kind: 'tool', tool };
  const message = `${source.name} has no tool ${JSON.stringify(id)}, by its name or by the operation that it alone is made of`;
  findings.add('FLOW003', pointer, message, suggestion(id, [...tools.keys()]));
  return undefined;
}

/** The tools that a workflow may call, itself and through those that it runs. */
function toolsUnder(raw: RawWorkflow, planning: Planning): readonly CalledTool[] {
  const silent = { ...planning, findings: new Findings() };
  return raw.steps.flatMap((step) => {
    const called = calledBy(step, '', silent);
    if (called === undefined) return [];
    return called.kind === 'tool' ? [called.tool] : toolsUnder(called.raw, planning);
  });
}
