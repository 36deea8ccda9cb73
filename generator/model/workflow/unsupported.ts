import type { Findings } from './finding.ts';
import type {
  RawAction,
  RawCriterion,
  RawParameter,
  RawStep,
  WorkflowFile,
} from './workflow-file.ts';

/** Report what Arazzo knows and this server does not do (SPEC020). */
export function reportUnsupported(file: WorkflowFile, findings: Findings): void {
  const refuse = (pointer: string, isThere: boolean, message: string) => {
    if (isThere) findings.add('SPEC020', pointer, message);
  };

  refuse(
    '/components',
    file.components !== undefined,
    'components are not supported: write what is shared where it is used',
  );
  for (const [index, { type }] of file.sourceDescriptions.entries()) {
    const message =
      'sources of type arazzo are not supported: workflows run those of their own file';
    refuse(`/sourceDescriptions/${index}/type`, type === 'arazzo', message);
  }
  for (const [index, workflow] of file.workflows.entries()) {
    const at = `/workflows/${index}`;
    const { dependsOn, steps, successActions, failureActions, parameters } = workflow;
    const message = 'dependsOn is not supported: let a step run the other workflow';
    refuse(`${at}/dependsOn`, dependsOn !== undefined, message);
    inParameters(parameters, `${at}/parameters`);
    inActions(successActions, `${at}/successActions`);
    inActions(failureActions, `${at}/failureActions`);
    for (const [position, step] of steps.entries()) inStep(step, `${at}/steps/${position}`);
  }

  function inStep(step: RawStep, at: string): void {
    const path = 'operationPath is not supported: name the operation by its operationId';
    refuse(`${at}/operationPath`, step.operationPath !== undefined, path);
    const replaced = 'replacements are not supported: write expressions into the payload';
    const { replacements } = step.requestBody ?? {};
    refuse(`${at}/requestBody/replacements`, replacements !== undefined, replaced);
    inParameters(step.parameters, `${at}/parameters`);
    inCriteria(step.successCriteria, `${at}/successCriteria`);
    inActions(step.onSuccess, `${at}/onSuccess`);
    inActions(step.onFailure, `${at}/onFailure`);
  }

  function inParameters(all: readonly RawParameter[] = [], at: string): void {
    for (const [index, { reference, in: place }] of all.entries()) {
      const reusable = 'reusable parameters are not supported: there are no components';
      refuse(`${at}/${index}/reference`, reference !== undefined, reusable);
      const cookie = 'parameters in cookies are not supported: tools send no cookies';
      refuse(`${at}/${index}/in`, place === 'cookie', cookie);
    }
  }

  function inActions(all: readonly RawAction[] = [], at: string): void {
    for (const [index, action] of all.entries()) {
      const place = `${at}/${index}`;
      const reusable = 'reusable actions are not supported: there are no components';
      refuse(`${place}/reference`, action.reference !== undefined, reusable);
      const elsewhere =
        'actions that go to another workflow are not supported: go to a step that runs it';
      refuse(`${place}/workflowId`, action.workflowId !== undefined, elsewhere);
      const before = 'a step before a retry is not supported: the step itself is done again';
      refuse(`${place}/stepId`, action.type === 'retry' && action.stepId !== undefined, before);
      inCriteria(action.criteria, `${place}/criteria`);
    }
  }

  function inCriteria(all: readonly RawCriterion[] = [], at: string): void {
    for (const [index, { type = 'simple' }] of all.entries()) {
      const isKnown = type === 'simple' || type === 'regex';
      const named = typeof type === 'string' ? JSON.stringify(type) : 'with a version of their own';
      const message = `criteria of type ${named} are not supported: write them as simple or regex`;
      refuse(`${at}/${index}/type`, !isKnown, message);
    }
  }
}
