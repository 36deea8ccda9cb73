import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from './problems.ts';

const route = (path: string, access = 'public') => `openapi: 3.1.0
info: { title: X, version: '1' }
paths:
  ${path}:
    get:
      operationId: getIt
      x-access: ${access}
      parameters:
        - { name: ${/\{(\w+)\}/.exec(path)?.[1] ?? 'q'}, in: ${path.includes('{') ? 'path, required: true' : 'query'}, schema: { type: string } }
      responses: { '200': { description: ok } }
`;

test('one method and path, however its parameters are called, belongs to one surface', async (t) => {
  assert.deepEqual(
    await problemsOf(t, {
      'surfaces/a/openapi.yaml': route('/things/{id}'),
      'surfaces/b/openapi.yaml': route('/things/{name}'),
      'surfaces/c/openapi.yaml': route('/other/{name}'),
    }),
    [
      'specs/surfaces/b/openapi.yaml:5:5 SURF008 GET /things/{name} is served by the surface a too, as /things/{id}',
    ],
  );
});

test('a table belongs to one file, whose names are not those of the server', async (t) => {
  const table = (name: string) => `${name}:
  description: Things that are kept
  key: [tenant, id]
  columns: { id: ulid }
`;
  assert.deepEqual(
    await problemsOf(t, {
      'tables.yaml': table('thing'),
      'surfaces/a/tables.yaml': table('thing'),
      'surfaces/b/tables.yaml': table('audit_entry'),
    }),
    [
      'specs/surfaces/a/tables.yaml:1:1 TABLE004 the table thing stands in specs/tables.yaml too',
      'specs/surfaces/b/tables.yaml:1:1 TABLE003 the name audit_entry is taken',
    ],
  );
});

test('a key or an index has columns of its table', async (t) => {
  const text = `thing:
  description: Things that are kept
  key: [tenant, name]
  columns: { id: ulid }
  index: [[seen_at]]
`;
  assert.deepEqual(await problemsOf(t, { 'tables.yaml': text }), [
    'specs/tables.yaml:3:17 TABLE003 thing has no column name',
    'specs/tables.yaml:5:12 TABLE003 thing has no column seen_at',
  ]);
});

test('an event has one name in the whole log', async (t) => {
  const events = `events:
  THING_MADE:
    category: system
    description: Somebody made a thing
    payload: { type: object, properties: {} }
`;
  assert.deepEqual(
    await problemsOf(t, { 'events/audit.yaml': events, 'surfaces/a/events.yaml': events }),
    [
      'specs/surfaces/a/events.yaml:2:3 EVENT001 the event THING_MADE stands in specs/events/audit.yaml too',
    ],
  );
});

test('a job has one name in the whole server', async (t) => {
  const jobs = 'jobs:\n  sweep: { scope: process, every: 1s, purpose: Sweep what lies about }\n';
  assert.deepEqual(await problemsOf(t, { 'jobs.yaml': jobs, 'surfaces/a/jobs.yaml': jobs }), [
    'specs/surfaces/a/jobs.yaml:2:3 JOB001 the job sweep stands in specs/jobs.yaml too',
  ]);
});

test('a job that every process does for itself says how often', async (t) => {
  const jobs = 'jobs:\n  sweep: { scope: process, purpose: Sweep what lies about }\n';
  const [problem, ...others] = await problemsOf(t, { 'jobs.yaml': jobs });
  assert.match(problem ?? '', /^specs\/jobs\.yaml:2:3 SPEC005 the key "every" is missing/);
  assert.deepEqual(others, []);
});

test('a scope is declared once, and demanded by somebody', async (t) => {
  const scope = (name: string) =>
    `scopes:\n  ${name}: { consent: Read all things there are, tier: pre }\n`;
  assert.deepEqual(
    await problemsOf(t, {
      'scopes.yaml': scope('things.read'),
      'surfaces/a/openapi.yaml': route('/things', '[things.raed]'),
      'surfaces/b/openapi.yaml': route('/others', '[things.read]'),
      'surfaces/b/scopes.yaml': scope('things.read'),
      'surfaces/c/scopes.yaml': scope('things.write'),
    }),
    [
      'specs/surfaces/a/openapi.yaml:5:5 SCOPE001 nobody declares the scope "things.raed"',
      'specs/surfaces/b/scopes.yaml:2:3 SCOPE003 the scope things.read stands in specs/scopes.yaml too',
      'specs/surfaces/c/scopes.yaml:2:3 SCOPE002 nothing demands the scope things.write',
    ],
  );
});

test('a scope implies declared ones, and guards what they guard', async (t) => {
  const scopes = `scopes:
  things.query_logs: { consent: Read the logs of things, tier: ask }
  things.query_*: { consent: Read all of things, tier: ask, implies: [things.query_*] }
  things.write: { consent: Make new things, tier: ask, implies: [things.raed], checked_in_code: true }
`;
  assert.deepEqual(
    await problemsOf(t, {
      'surfaces/a/scopes.yaml': scopes,
      'surfaces/a/openapi.yaml': route('/things', '[things.query_logs]'),
    }),
    [
      'specs/surfaces/a/scopes.yaml:4:66 SCOPE004 things.write implies "things.raed", but nobody declares such a scope',
    ],
  );
});

test('a surface is enabled by values that a switch has', async (t) => {
  const mode = `sections:
  - title: Tools
    switches:
      - { env: SERVICE_MODE, type: enum, values: [plain, full], description: What is shown }
`;
  const surface = (choice: string) => `title: A\nswitch: ${choice}\n`;
  assert.deepEqual(
    await problemsOf(t, {
      'config.yaml': mode,
      'surfaces/a/config.yaml': surface('{ env: SERVICE_MODE, values: [full] }'),
      'surfaces/b/config.yaml': surface('{ env: SERVICE_MODE, values: [ful] }'),
      'surfaces/c/config.yaml': surface('{ env: SERVICE_MODUS, values: [full] }'),
      'surfaces/d/config.yaml': surface('SERVICE_ENABLE_D'),
      'surfaces/e/config.yaml': surface('SERVICE_ENABLE_D'),
    }),
    [
      'specs/surfaces/b/config.yaml:2:39 CONF003 SERVICE_MODE never is "ful"',
      'specs/surfaces/c/config.yaml:2:11 CONF003 SERVICE_MODUS is no switch of specs/config.yaml that has values',
      'specs/surfaces/e/config.yaml:2:1 CONF001 SERVICE_ENABLE_D is already listed in specs/surfaces/d/config.yaml',
    ],
  );
});
