import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Located } from '../model/texts/report.ts';
import { sourcesOf } from '../model/workflow/called-tools.ts';
import { type PlannedWorkflow, planWorkflows } from '../model/workflow/plan-workflows.ts';
import type { WorkflowFile } from '../model/workflow/workflow-file.ts';
import { readChecked } from '../read/text/checked-yaml.ts';
import type { ParsedFile } from '../read/text/parsed-file.ts';
import { type Kind, models, type Part, type Place, type Planned, type Specs } from './kind/kind.ts';
import { providers } from './providers.ts';
import { surfaces } from './surfaces.ts';

/** The documents of workflows, as far as each can be read by itself. */
export interface WorkflowsModel {
  readonly documents: readonly WorkflowDocument[];
}

export interface WorkflowDocument {
  /** Name of its file, without `.yaml`. */
  readonly id: string;
  readonly file: ParsedFile;
  readonly content: WorkflowFile;
}

/** A document with the tools that its steps call. */
export interface ResolvedDocument {
  readonly id: string;
  readonly workflows: readonly PlannedWorkflow[];
}

/** Durable runs of several tools, one document of Arazzo each. */
export const workflows: Kind<WorkflowsModel> = {
  name: 'workflows',
  where: ['specs/workflows/'],
  plan: planFolder,
  check: (parts, specs) => parts.flatMap((part) => problemsOf(part, specs)),
  tools: (model, specs) =>
    resolve(model, specs).flatMap(({ id, workflows: all }) =>
      all.map(({ definition, pointer }) => ({
        definition,
        request: `workflow ${definition.name}`,
        pointer: `/${id}${pointer}`,
      })),
    ),
  async merge(parts, specs) {
    const { emitWorkflows } = await import('../emit/workflows/workflow-files.ts');
    return emitWorkflows(resolveAll(parts, specs));
  },
  async docs(parts, specs) {
    const { emitWorkflowsPage } = await import('../emit/docs/docs-workflows.ts');
    return [emitWorkflowsPage(resolveAll(parts, specs))];
  },
};

function planFolder({ base, path }: Place): Planned<WorkflowsModel> {
  const names = readdirSync(join(base, path)).filter((name) => name.endsWith('.yaml'));
  const read = names.sort().map((name) => ({
    id: name.slice(0, -'.yaml'.length),
    ...readChecked<WorkflowFile>(join(base, path, name), base, 'workflow'),
  }));
  const documents = read.flatMap(({ id, file, content }) =>
    content === undefined ? [] : [{ id, file, content }],
  );
  return {
    model: { documents },
    file: together(documents),
    diagnostics: [...read.flatMap(({ diagnostics }) => diagnostics), ...read.flatMap(badName)],
  };
}

/** The name of the file becomes that of a module. */
function badName({ id, file }: { readonly id: string; readonly file: ParsedFile }): Diagnostic[] {
  if (/^[a-z][a-z0-9-]{0,60}$/.test(id)) return [];
  const message = `the name of the file must match ^[a-z][a-z0-9-]*\\.yaml$, but it is ${JSON.stringify(`${id}.yaml`)}`;
  return [diagnose('SPEC001', { ...file.locate(''), pointer: '' }, message)];
}

/** All documents as one file, whose pointers begin with the id of a document. */
function together(documents: readonly WorkflowDocument[]): Located {
  return {
    locate(pointer) {
      const [, id, rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
      const document = documents.find((each) => each.id === id);
      return document?.file.locate(rest) ?? { file: 'specs/workflows', line: 1, column: 1 };
    },
  };
}

function problemsOf({ model }: Part<WorkflowsModel>, specs: Specs): Diagnostic[] {
  if (!model) return [];
  const sources = sourcesIn(specs);
  return model.documents.flatMap(({ file, content }) =>
    planWorkflows(content, sources).findings.map(({ code, pointer, message, help }) =>
      diagnose(code, { ...file.locate(pointer), pointer }, message, {
        ...(code === 'SPEC020' && { severity: 'error' as const }),
        ...(help !== undefined && { help }),
      }),
    ),
  );
}

function resolve({ documents }: WorkflowsModel, specs: Specs): readonly ResolvedDocument[] {
  const sources = sourcesIn(specs);
  return documents.map(({ id, content }) => ({
    id,
    workflows: planWorkflows(content, sources).workflows,
  }));
}

function resolveAll(parts: readonly Part<WorkflowsModel>[], specs: Specs) {
  return models(parts).flatMap((model) => resolve(model, specs));
}

function sourcesIn(specs: Specs) {
  return sourcesOf(models(specs.of(providers)), models(specs.of(surfaces)));
}
