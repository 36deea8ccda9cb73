import assert from 'node:assert/strict';
import test from 'node:test';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { natureIn } from '../../guess/described.ts';

const text = { type: 'string' };
const sends = (...names: readonly string[]) => ({
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, text])),
        },
      },
    },
  },
});
const spec = (...names: readonly string[]) => {
  const { requestBody } = sends(...names);
  const { schema } = requestBody.content['application/json'];
  const outer = { type: 'object', properties: { spec: schema } };
  return { requestBody: { content: { 'application/json': { schema: outer } } } };
};

const kinds = {
  runs: /^it runs software/,
  connects: /^it connects a server of tools/,
  commands: /^it sends a command to a device/,
  imports: /^it brings in many things/,
  spends: /^it may spend money/,
} as const;

for (const [path, operation, kind] of [
  // What software runs in, and what only may be that.
  ['/containers/create', sends('Image', 'Entrypoint'), 'runs'],
  ['/services/create', sends('Name', 'TaskTemplate'), 'runs'],
  ['/namespaces/{namespace}/pods', spec('containers', 'nodeName'), 'runs'],
  ['/namespaces/{namespace}/daemonsets', spec('selector', 'template'), 'runs'],
  ['/jobs', { ...sends('Job'), ...spec('TaskGroups') }, 'runs'],
  ['/edge_stacks', {}, 'runs'],
  ['/applications/public', sends('git_repository', 'ports'), 'runs'],
  ['/sandboxes', sends('templateID'), 'runs'],
  ['/containers/{id}/attach', {}, 'runs'],
  ['/services', sends('name', 'image', 'price'), undefined],
  ['/jobs', sends('title', 'salary'), undefined],
  ['/tasks', sends('title', 'due', 'image'), undefined],
  ['/applications', sends('name', 'description'), undefined],
  ['/containers', sends('number', 'weight'), undefined],
  ['/validate/job', spec('TaskGroups'), undefined],
  ['/jobs', { summary: 'Validate a job', ...spec('TaskGroups') }, undefined],
  ['/plugins/create', { requestBody: { content: { 'application/x-tar': {} } } }, 'runs'],
  ['/plugins', sends('name', 'config'), undefined],
  ['/v1/mcp/server', sends('url', 'transport'), 'connects'],
  ['/mcp-servers', sends('url'), 'connects'],
  // What begins a run of it.
  ['/cronjobs', sends('name', 'command'), 'runs'],
  ['/cronjobs', sends('name', 'spec'), undefined],
  ['/runs', sends('name', 'pipeline_spec'), 'runs'],
  ['/recurringruns', sends('name', 'pipeline_version_reference'), 'runs'],
  ['/backfills', sends('dag_id', 'from_date'), 'runs'],
  ['/runs', sends('name', 'experiment_id', 'distance'), undefined],
  ['/dags/{dag_id}/dagRuns', { summary: 'Trigger a new DAG run' }, 'runs'],
  ['/job/{name}/build', { summary: 'Build a job' }, 'runs'],
  ['/sites/{site_id}/builds', {}, 'runs'],
  ['/repos/{repo}/pipelines', { summary: 'Create and start a pipeline' }, 'runs'],
  ['/project/{id}/tasks', { summary: 'Starts a job' }, 'runs'],
  ['/images/builds', { summary: 'Build an image' }, 'runs'],
  ['/threads/{id}/runs', { summary: 'Create a run' }, undefined],
  ['/workflows', { summary: 'Create a workflow', ...sends('name') }, undefined],
  ['/workflow-drafts', { summary: 'Start a workflow draft' }, undefined],
  ['/transcripts', { summary: 'Start a transcription job', ...sends('audio') }, undefined],
  // What does something outside.
  ['/commands/send', { summary: 'Dispatch commands to device' }, 'commands'],
  ['/devices/{id}/commands', sends('name', 'value'), 'commands'],
  ['/piggyback', { summary: 'Send a piggyback command' }, 'commands'],
  ['/bots/{id}/commands', sends('name', 'description'), undefined],
  // What comes in with one file.
  ['/import/subscribers', { summary: 'Uploads a CSV file for importing' }, 'imports'],
  ['/bulk/imports', { summary: 'Start import' }, 'imports'],
  ['/', { summary: 'Import a realm' }, 'imports'],
  ['/recipes/import', { summary: 'Import a recipe from an address' }, undefined],
  ['/export/csv', { summary: 'Export all as CSV' }, undefined],
  // Machines by the hour.
  ['/servers', sends('name', 'server_type', 'location'), 'spends'],
  ['/instance', sends('name', 'instance-type'), 'spends'],
  ['/gpu-clusters', sends('gpu_type', 'num_gpus'), 'spends'],
  ['/servers/{id}/actions/provision', {}, 'spends'],
  ['/backends/{parent}/servers', sends('name', 'address', 'port'), undefined],
  ['/servers', sends('name', 'ip', 'port'), undefined],
] as const) {
  const told = JSON.stringify(operation).slice(0, 120);
  test(`POST ${path} ${told}: ${kind ?? 'nothing'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    const reason = asideReason(document, nature) ?? '';
    const found = Object.entries(kinds).find(([, pattern]) => pattern.test(reason))?.[0];
    assert.equal(found, kind, reason);
  });
}
