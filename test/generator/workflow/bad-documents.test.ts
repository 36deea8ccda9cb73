import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { formatResult } from '../../../generator/commands/format-result.ts';
import type { CalledTool } from '../../../generator/model/workflow/called-tools.ts';
import { planWorkflows } from '../../../generator/model/workflow/plan-workflows.ts';
import type {
  RawAction,
  RawStep,
  RawWorkflow,
  WorkflowFile,
} from '../../../generator/model/workflow/workflow-file.ts';
import { generate } from '../../../generator/pipeline/pipeline.ts';

const read: CalledTool = {
  provider: 'acme',
  repeat: 'safe',
  definition: {
    name: 'acme_orders_get',
    description: 'Read an order',
    annotations: { readOnlyHint: true, openWorldHint: true },
    access: ['provider:acme:read'],
    input: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, limit: { type: 'integer', maximum: 10 } },
    },
    output: {
      type: 'object',
      properties: {
        state: { type: ['string', 'null'] },
        lines: {
          type: 'array',
          items: { type: 'object', properties: { count: { type: 'integer' } } },
        },
      },
    },
  },
};
const url = '../providers/acme/openapi.yaml';
const sources = new Map([
  [
    url,
    new Map([
      ['getOrder', read],
      ['acme_orders_get', read],
    ]),
  ],
]);

const step: RawStep = {
  stepId: 'look',
  operationId: 'getOrder',
  parameters: [{ name: 'id', in: 'path', value: '$inputs.order' }],
  outputs: { state: '$response.body#/state', count: '$response.body#/lines/0/count' },
};
const workflow: RawWorkflow = {
  workflowId: 'order_watch',
  summary: 'Watch an order',
  inputs: {
    type: 'object',
    required: ['order'],
    properties: { order: { type: 'string' }, most: { type: 'integer' } },
  },
  steps: [step],
  outputs: { state: '$steps.look.outputs.state' },
};
const file: WorkflowFile = {
  info: { title: 'Orders', version: '1' },
  sourceDescriptions: [{ name: 'acme', url, type: 'openapi' }],
  workflows: [workflow],
};

/** What is said of a document: `CODE /pointer message (help)`. */
function said(document: WorkflowFile): readonly string[] {
  return planWorkflows(document, sources).findings.map(({ code, pointer, message, help }) =>
    [`${code} ${pointer} ${message}`, ...(help === undefined ? [] : [`(${help})`])].join(' '),
  );
}

const withWorkflow = (change: Partial<RawWorkflow>): WorkflowFile => ({
  ...file,
  workflows: [{ ...workflow, ...change }],
});
const withStep = (change: Partial<RawStep>): WorkflowFile =>
  withWorkflow({ steps: [{ ...step, ...change }] });
const withFailure = (action: RawAction): WorkflowFile => withStep({ onFailure: [action] });

test('a sound document has nothing said of it', () => {
  assert.deepEqual(said(file), []);
});

const cases: Readonly<Record<string, readonly [WorkflowFile, ...string[]]>> = {
  'a source that is none': [
    { ...file, sourceDescriptions: [{ name: 'acme', url: '../providers/acm/openapi.yaml' }] },
    'FLOW003 /sourceDescriptions/0/url "../providers/acm/openapi.yaml" is no provider and no surface of this server (it has: ../providers/acme/openapi.yaml; did you mean "../providers/acme/openapi.yaml"?)',
  ],
  'a source that is listed twice': [
    {
      ...file,
      sourceDescriptions: [
        { name: 'a', url },
        { name: 'a', url },
      ],
    },
    'FLOW001 /sourceDescriptions/1/name the source a is listed twice',
    'FLOW003 /workflows/0/steps/0/operationId there are several sources: write $sourceDescriptions.<name>.getOrder',
  ],
  'a source of workflows': [
    { ...file, sourceDescriptions: [{ name: 'acme', url, type: 'arazzo' }] },
    'SPEC020 /sourceDescriptions/0/type sources of type arazzo are not supported: workflows run those of their own file',
  ],
  components: [
    { ...file, components: {} },
    'SPEC020 /components components are not supported: write what is shared where it is used',
  ],
  'a workflow that is listed twice': [
    { ...file, workflows: [workflow, workflow] },
    'FLOW001 /workflows/1/workflowId the workflow order_watch is listed twice',
  ],
  dependsOn: [
    withWorkflow({ dependsOn: ['other'] }),
    'SPEC020 /workflows/0/dependsOn dependsOn is not supported: let a step run the other workflow',
  ],
  'an input that all workflows have': [
    withWorkflow({
      inputs: { type: 'object', properties: { order: { type: 'string' }, dry_run: {} } },
    }),
    'FLOW001 /workflows/0/inputs/properties/dry_run the input dry_run is one that every workflow has of its own',
  ],
  'inputs that are no schema': [
    withWorkflow({ inputs: { type: 'object', properties: { order: { type: 'text' } } } }),
    'SPEC005 /workflows/0/inputs/properties/order/type the inputs are no JSON Schema: must be equal to one of the allowed values',
    'FLOW004 /workflows/0/steps/0/parameters/0/value the argument id of acme_orders_get must be of type string, but $inputs.order is of type text',
  ],
  'an operation that is no tool': [
    withStep({ operationId: 'getOrders' }),
    'FLOW003 /workflows/0/steps/0/operationId acme has no tool "getOrders", by its name or by the operation that it alone is made of (it has: getOrder, acme_orders_get; did you mean "getOrder"?)',
  ],
  'a source that a step does not have': [
    withStep({ operationId: '$sourceDescriptions.acne.getOrder' }),
    'FLOW003 /workflows/0/steps/0/operationId there is no source "acne" (it has: acme; did you mean "acme"?)',
  ],
  'a step that calls two things': [
    withStep({ workflowId: 'order_watch' }),
    'FLOW005 /workflows/0/steps/0/workflowId order_watch runs itself: it would never end',
  ],
  'an operationPath': [
    withWorkflow({
      steps: [{ stepId: 'look', operationPath: '{$sourceDescriptions.acme.url}#/paths/~1o' }],
      outputs: {},
    }),
    'SPEC020 /workflows/0/steps/0/operationPath operationPath is not supported: name the operation by its operationId',
  ],
  'an argument that the tool does not take': [
    withStep({
      parameters: [...(step.parameters ?? []), { name: 'limits', in: 'query', value: 1 }],
    }),
    'FLOW004 /workflows/0/steps/0/parameters/1/value acme_orders_get takes no argument "limits" (it has: id, limit; did you mean "limit"?)',
  ],
  'an argument that is missing': [
    withStep({ parameters: [] }),
    'FLOW004 /workflows/0/steps/0 acme_orders_get needs the argument id, which is not given',
  ],
  'an argument that is given twice': [
    withStep({ requestBody: { payload: { id: 'a' } } }),
    'FLOW004 /workflows/0/steps/0/requestBody/payload/id id is given twice',
  ],
  'a parameter without a place': [
    withStep({ parameters: [{ name: 'id', value: 'a' }] }),
    'FLOW004 /workflows/0/steps/0/parameters/0 the parameter id of acme_orders_get must say where it stands: in: path, query or header',
  ],
  'a value that is too large': [
    withStep({ requestBody: { payload: { limit: 11 } } }),
    'FLOW004 /workflows/0/steps/0/requestBody/payload/limit the argument limit of acme_orders_get is refused: must be <= 10',
  ],
  'an input of another type': [
    withStep({ requestBody: { payload: { limit: '$inputs.order' } } }),
    'FLOW004 /workflows/0/steps/0/requestBody/payload/limit the argument limit of acme_orders_get must be of type integer, but $inputs.order is of type string',
  ],
  'an input that is not there': [
    withStep({ parameters: [{ name: 'id', in: 'path', value: '$inputs.ordre' }] }),
    'FLOW002 /workflows/0/steps/0/parameters/0/value the expression $inputs.ordre names "ordre", which is not there; did you mean "order"?',
  ],
  'an answer before there is one': [
    withStep({ parameters: [{ name: 'id', in: 'path', value: 'a {$response.body#/x}' }] }),
    'FLOW002 /workflows/0/steps/0/parameters/0/value the expression $response.body#/x stands where no step has run',
  ],
  'a step that comes later': [
    withStep({ parameters: [{ name: 'id', in: 'path', value: '$steps.look.outputs.state' }] }),
    'FLOW002 /workflows/0/steps/0/parameters/0/value the expression $steps.look.outputs.state names the step "look", which does not come before it',
  ],
  'an output that a step does not have': [
    withWorkflow({ outputs: { state: '$steps.look.outputs.sate' } }),
    'FLOW002 /workflows/0/outputs/state the expression $steps.look.outputs.sate names the output "sate", which look does not have; did you mean "state"?',
  ],
  'an output that is no expression': [
    withWorkflow({ outputs: { state: 'done' } }),
    'FLOW002 /workflows/0/outputs/state an output must be a runtime expression such as $response.body#/id, but it is "done"',
  ],
  'a member that an answer does not have': [
    withStep({ outputs: { state: '$response.body#/stat' } }),
    'FLOW002 /workflows/0/steps/0/outputs/state the expression $response.body#/stat names "stat", which is not there; did you mean "state"?',
  ],
  'a header of an answer': [
    withStep({ outputs: { state: '$response.header.etag' } }),
    'FLOW002 /workflows/0/steps/0/outputs/state the expression "$response.header.etag" cannot be read: of a response, tools give $response.body alone',
  ],
  'a root that is unknown here': [
    withStep({ outputs: { state: '$url' } }),
    'FLOW002 /workflows/0/steps/0/outputs/state the expression "$url" cannot be read: there are $inputs, $steps, $outputs, $response.body and $statusCode, and no others',
  ],
  'a condition that cannot be read': [
    withStep({ successCriteria: [{ condition: '$statusCode = 200' }] }),
    'FLOW002 /workflows/0/steps/0/successCriteria/0/condition the condition "$statusCode = 200" cannot be read: "= 200" cannot be read',
  ],
  'a condition that does not end': [
    withStep({ successCriteria: [{ condition: '($statusCode == 200' }] }),
    'FLOW002 /workflows/0/steps/0/successCriteria/0/condition the condition "($statusCode == 200" cannot be read: a parenthesis is not closed',
  ],
  'a criterion in JSONPath': [
    withStep({
      successCriteria: [{ context: '$response.body', condition: '$[?@.a]', type: 'jsonpath' }],
    }),
    'SPEC020 /workflows/0/steps/0/successCriteria/0/type criteria of type "jsonpath" are not supported: write them as simple or regex',
  ],
  'a pattern that takes for ever': [
    withStep({
      successCriteria: [{ context: '$response.body#/state', condition: '^(a+)+$', type: 'regex' }],
    }),
    'FLOW002 /workflows/0/steps/0/successCriteria/0/condition the pattern "^(a+)+$" is none, or could take for ever',
  ],
  'a pattern about nothing': [
    withStep({ successCriteria: [{ condition: '^a$', type: 'regex' }] }),
    'FLOW002 /workflows/0/steps/0/successCriteria/0 a criterion of type regex needs a context: the value that it is about',
  ],
  'an action without a type': [
    withFailure({ name: 'again' }),
    'FLOW006 /workflows/0/steps/0/onFailure/0 the action has no type',
  ],
  'an action that goes nowhere': [
    withFailure({ name: 'on', type: 'goto' }),
    'FLOW006 /workflows/0/steps/0/onFailure/0 on is of type goto and names no stepId',
  ],
  'an action that goes to no step': [
    withFailure({ name: 'on', type: 'goto', stepId: 'loop' }),
    'FLOW006 /workflows/0/steps/0/onFailure/0/stepId on goes to "loop", which is no step of this workflow (it has: look; did you mean "look"?)',
  ],
  'a goto back without a bound': [
    withFailure({ name: 'on', type: 'goto', stepId: 'look' }),
    'FLOW005 /workflows/0/steps/0/onFailure/0 the action on leads from look back to look without a bound (say with x-limit how often it may be taken in a run)',
  ],
  'a retry of what has succeeded': [
    withStep({ onSuccess: [{ name: 'again', type: 'retry' }] }),
    'FLOW006 /workflows/0/steps/0/onSuccess/0/type again does again what has succeeded: retry is for failures',
  ],
  'an action that goes to a workflow': [
    withFailure({ name: 'on', type: 'goto', workflowId: 'order_watch' }),
    'SPEC020 /workflows/0/steps/0/onFailure/0/workflowId actions that go to another workflow are not supported: go to a step that runs it',
  ],
  'two steps of one name': [
    withWorkflow({ steps: [step, step] }),
    'FLOW001 /workflows/0/steps/1/stepId the step look is listed twice',
  ],
  'a workflow that is not there': [
    withWorkflow({ steps: [{ stepId: 'look', workflowId: 'order_watches' }], outputs: {} }),
    'FLOW003 /workflows/0/steps/0/workflowId "order_watches" is no workflow of this file (it has: order_watch; did you mean "order_watch"?)',
  ],
};

for (const [name, [document, ...expected]] of Object.entries(cases)) {
  test(`${name}: exactly that is said`, () => assert.deepEqual(said(document), expected));
}

test('workflows that run each other are told apart from those that end', () => {
  const run = (workflowId: string, other: string): RawWorkflow => ({
    ...{ workflowId, summary: 'Runs another one' },
    steps: [{ stepId: 'run', workflowId: other }],
  });
  assert.deepEqual(said({ ...file, workflows: [run('first', 'second'), run('second', 'first')] }), [
    'FLOW005 /workflows/0/steps/0/workflowId first runs second, which leads back to it: it would never end',
    'FLOW005 /workflows/1/steps/0/workflowId second runs first, which leads back to it: it would never end',
  ]);
  const inputs = [{ name: 'order', value: 'a' }];
  const outer = {
    ...run('outer', 'order_watch'),
    steps: [
      {
        stepId: 'run',
        workflowId: 'order_watch',
        parameters: inputs,
        outputs: { state: '$outputs.state' },
      },
    ],
  };
  assert.deepEqual(said({ ...file, workflows: [workflow, outer] }), []);
});

test('a workflow may do what its steps may, and asks for the scopes of all of them', () => {
  const write: CalledTool = {
    ...{ provider: 'acme', repeat: 'once' },
    definition: {
      ...read.definition,
      name: 'acme_orders_cancel',
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      access: ['provider:acme:write'],
    },
  };
  const both = new Map([
    [
      url,
      new Map([
        ['getOrder', read],
        ['cancelOrder', write],
      ]),
    ],
  ]);
  const steps = [step, { ...step, stepId: 'cancel', operationId: 'cancelOrder' }];
  const [planned] = planWorkflows(withWorkflow({ steps }), both).workflows;
  assert.deepEqual(planned?.definition.annotations, {
    ...{ readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  });
  assert.deepEqual(planned.definition.access, ['provider:acme:read', 'provider:acme:write']);
  assert.equal(planned.definition.audit, 'outcome');
  assert.deepEqual(planned.providers, ['acme']);
  assert.deepEqual(
    planned.steps.map(({ repeat }) => repeat),
    ['safe', 'once'],
  );
});

test('what is wrong is said with its place in the file, all of it in one run', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'workflows-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'specs/workflows'), { recursive: true });
  const write = (name: string, text: string) =>
    writeFileSync(join(base, 'specs/workflows', name), text);
  write(
    'orders.yaml',
    `arazzo: 1.1.0
info: { title: Orders, version: 1 }
sourceDescriptions: []
workflows:
  - workflowId: Order-Watch
    summary: Watch an order
    step: []
`,
  );
  write(
    'refunds.yaml',
    `arazzo: 1.0.1
info: { title: Refunds, version: 1.0.0 }
sourceDescriptions: [{ name: acme, url: ../providers/acme/openapi.yaml }]
workflows:
  - workflowId: refund_order
    summary: Refund an order
    steps:
      - stepId: look
        operationId: getOrder
    outputs: { state: $steps.look.outputs.state }
`,
  );
  write('Bad name.yaml', 'arazzo: [');
  const report = formatResult(await generate({ base }), 'text');
  assert.deepEqual(
    report.split('\n').filter((line) => line.includes(' error ')),
    [
      'Bad name.yaml:1:1 error SPEC001 the name of the file must match ^[a-z][a-z0-9-]*\\.yaml$, but it is "Bad name.yaml"',
      'Bad name.yaml:1:10 error SPEC002 Flow sequence in block collection must be sufficiently indented and end with a ] (BAD_INDENT) (opened at 1:9)',
      'orders.yaml:1:1 error SPEC005 "arazzo" may not be "1.1.0"',
      'orders.yaml:2:24 error SPEC005 "version" must be of type string, but it is 1',
      'orders.yaml:3:1 error SPEC005 "sourceDescriptions" must NOT have fewer than 1 items, but it is a list',
      'orders.yaml:5:5 error SPEC005 "workflowId" must match ^[a-z][a-z0-9_]{2,47}$, but it is "Order-Watch"',
      'orders.yaml:5:5 error SPEC005 the key "steps" is missing',
      'orders.yaml:7:5 error SPEC005 unknown key "step"',
      'refunds.yaml:3:36 error FLOW003 "../providers/acme/openapi.yaml" is no provider and no surface of this server',
      'refunds.yaml:10:16 error FLOW002 the expression $steps.look.outputs.state names the output "state", which look does not have',
    ].map((line) => `specs/workflows/${line}`),
  );
});
