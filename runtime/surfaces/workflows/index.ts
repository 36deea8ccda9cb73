import { storeWith } from '#contract/house/store';
import { bindTools } from '#contract/surface/surface';
import { bindJobs } from '#contract/surface/surface-jobs';
import type { SurfaceModule } from '#contract/surface/surface-module';
import type { Workflow } from '#contract/workflow/workflow';
import { createEvents } from '../../../generated/events.ts';
import { workflowsJobs } from '../../../generated/surfaces/workflows/jobs.ts';
import type { WorkflowsTables } from '../../../generated/surfaces/workflows/tables.ts';
import { workflowsTools } from '../../../generated/surfaces/workflows/tools.ts';
import { workflows } from '../../../generated/surfaces/workflows/workflows.ts';
import { WorkflowEngine } from './engine.ts';
import { endAbandoned } from './expiry.ts';
import { createWorkflowsHandlers } from './handlers.ts';
import { openCounters } from './metrics.ts';
import { RunTable } from './run-table.ts';
import { workflowTool } from './workflow-tool.ts';

type Needs = 'bus' | 'confirm' | 'metrics' | 'now' | 'providers' | 'store' | 'tools';

/** Workflows: tools that do several things one after the other, and go on where they were after a crash. */
export const surface: SurfaceModule<unknown, Needs> = {
  async create({ bus, confirm, metrics, now, providers, store, tools }) {
    const enabled = new Set(providers.map(({ id }) => id));
    const usable = workflows.filter(({ providers: needed }) =>
      needed.every((id) => enabled.has(id)),
    );
    const loaded: readonly Workflow[] = await Promise.all(usable.map(({ load }) => load()));
    const byName = new Map(loaded.map((workflow) => [workflow.definition.name, workflow]));
    const events = createEvents(bus);
    const table = new RunTable({ store: storeWith<WorkflowsTables>(store), events, now });
    const counters = openCounters(metrics);
    const find = async (name: string) => byName.get(name);
    const engine = new WorkflowEngine({
      ...{ table, tools, confirm, now, find, ...counters },
    });
    return {
      tools: [
        ...loaded.map((workflow) => workflowTool(workflow, { engine, tools, find })),
        ...bindTools(workflowsTools, createWorkflowsHandlers(table, confirm)),
      ],
      jobs: bindJobs(workflowsJobs, { workflowsExpiry: () => endAbandoned(table) }),
    };
  },
};
