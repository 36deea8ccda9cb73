import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, type Printed, printed } from '../print/printed.ts';
import { demandsInWords } from './demands.ts';
import { code, maybeProse, page, prose, sentence } from './markdown.ts';
import { argumentRows } from './tool-page.ts';

/** The page of all workflows: what each takes, does and gives. */
export function emitWorkflowsPage(
  documents: readonly { readonly workflows: readonly Workflow[] }[],
): EmittedFile {
  return page('workflows.md', 'specs/workflows', 'workflows', {
    workflows: documents.flatMap(({ workflows }) => workflows).map(workflowData),
  });
}

function workflowData({ definition, providers, steps, outputs }: Workflow) {
  const { name, title = name, description, input } = definition;
  return {
    name: code(name),
    title: prose(title),
    description: sentence(description),
    demands: joined(demandsInWords(definition), ' '),
    providers: providers.length === 0 ? prose('no vendor') : joined(providers.map(code), ', '),
    arguments: argumentRows(input),
    steps: steps.map(stepRow),
    outputs: Object.entries(outputs).map(([key, value]) => ({
      name: code(key),
      value: code(value),
    })),
  };
}

const repeats = {
  safe: 'done again',
  keyed: 'done again with the same key',
  once: 'not done again',
} as const;

function stepRow(step: WorkflowStep) {
  const { id, tool, workflow, description, repeat, approval } = step;
  return {
    id: code(id),
    calls: code(tool ?? workflow ?? ''),
    purpose: maybeProse(description) ?? printed``,
    repeat: prose(repeats[repeat]),
    approval: approval === undefined ? printed`` : printed`a person agrees`,
    next: nextOf(step),
  };
}

function nextOf({ onSuccess, onFailure }: WorkflowStep): Printed {
  const told = [...onSuccess, ...onFailure].map(({ name, kind, step, limit }) => {
    const target = step === undefined ? '' : ` ${step}`;
    const bound = limit === undefined ? '' : ` (at most ${limit})`;
    return prose(`${name}: ${kind}${target}${bound}`);
  });
  return joined(told, '; ');
}
