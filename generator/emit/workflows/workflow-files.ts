import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';
import { camelCase } from '../../model/texts/names.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { lazyImport } from '../print/lazy-import.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** A document and the workflows in it. */
interface Document {
  readonly id: string;
  readonly workflows: readonly (Workflow & { readonly pointer: string })[];
}

/** Print one module for each document, and the list of all workflows. */
export function emitWorkflows(documents: readonly Document[]): readonly EmittedFile[] {
  return [...documents.map(emitDocument), emitList(documents)];
}

function emitDocument({ id, workflows }: Document): EmittedFile {
  const source = `specs/workflows/${id}.yaml`;
  return printSourceFile({
    path: `generated/workflows/${id}.ts`,
    source,
    imports: [{ from: '#contract/workflow/workflow', names: ['defineWorkflow'] }],
    statements: workflows.map(({ pointer, definition, revision, providers, steps, outputs }) =>
      constant({
        name: exportName(definition.name),
        docs: [`${definition.title ?? definition.name}.`, `(${source}#${pointer})`],
        value: `defineWorkflow(${literal({
          definition,
          revision,
          providers,
          steps: steps.map(stepValue),
          outputs,
        })})`,
      }),
    ),
  });
}

/** In the order in which a person reads it, without what it does not say. */
function stepValue(step: WorkflowStep) {
  const { id, description, tool, workflow, repeat, approval, success, onSuccess, onFailure } = step;
  return {
    ...{ id, description, tool, workflow, repeat, approval },
    arguments: step.arguments,
    ...{ success, outputs: step.outputs, onSuccess, onFailure },
  };
}

function emitList(documents: readonly Document[]): EmittedFile {
  const entries = documents.flatMap(({ id, workflows }) =>
    workflows.map(({ definition: { name }, providers }) => ({
      name,
      providers,
      load: lazyImport(`../../workflows/${id}.ts`, exportName(name)),
    })),
  );
  return printSourceFile({
    path: 'generated/surfaces/workflows/workflows.ts',
    source: 'specs/workflows',
    imports: [{ from: '#contract/workflow/workflow', types: ['WorkflowEntry'] }],
    statements: [
      constant({
        name: 'workflows',
        type: 'readonly WorkflowEntry[]',
        docs: ['Every workflow, loaded on first use.'],
        value: literal(entries, { depth: 0, used: 100, after: 1 }),
      }),
    ],
  });
}

function exportName(tool: string): string {
  return camelCase(tool);
}
