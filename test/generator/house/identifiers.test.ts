import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from './problems.ts';

test('two jobs of one file do not become one handler', async (t) => {
  const job = '{ scope: process, every: 1s, purpose: Sweep what lies about }';
  const jobs = `jobs:\n  shelf-dust: ${job}\n  shelf.dust: ${job}\n`;
  assert.deepEqual(await problemsOf(t, { 'jobs.yaml': jobs }), [
    'specs/jobs.yaml:3:3 NAME001 shelf-dust and shelf.dust both become "shelfDust"',
  ]);
});

test('the surface in front of a job is no part of its handler, and two may become one by that', async (t) => {
  const job = '{ scope: process, every: 1s, purpose: Sweep what lies about }';
  const jobs = `jobs:\n  desk.dust: ${job}\n  dust: ${job}\n`;
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/jobs.yaml': jobs }), [
    'specs/surfaces/desk/jobs.yaml:3:3 NAME001 desk.dust and dust both become "dust"',
  ]);
});

test('two tables of one file do not become one type of rows', async (t) => {
  const table = (name: string) => `${name}:
  description: Things that are kept
  key: [tenant, id]
  columns: { id: ulid }
`;
  const text = table('desk_order') + table('desk__order');
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/tables.yaml': text }), [
    'specs/surfaces/desk/tables.yaml:5:1 NAME001 desk_order and desk__order both become "DeskOrderRow"',
  ]);
});

test('two tools of a surface do not become one handler', async (t) => {
  const tool = (name: string) => `  - name: ${name}
    title: Find an order
    description: Find an order by what it is called
    annotations: { readOnly: true, openWorld: false }
    access: public
    input: { type: object, properties: {}, additionalProperties: false }
`;
  const text = `tools:\n${tool('desk_find')}${tool('desk__find')}`;
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/tools.yaml': text }), [
    'specs/surfaces/desk/tools.yaml:8:5 NAME001 desk_find and desk__find both become "deskFind"',
  ]);
});

test('two operations of a surface do not become one type', async (t) => {
  const route = (path: string, id: string) => `  ${path}:
    get:
      operationId: ${id}
      x-access: public
      responses: { '200': { description: ok } }
`;
  const head = "openapi: 3.1.0\ninfo: { title: X, version: '1' }\npaths:\n";
  const text = head + route('/desk/a', 'getUrl') + route('/desk/b', 'getURL');
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/openapi.yaml': text }), [
    'specs/surfaces/desk/openapi.yaml:11:7 NAME001 getUrl and getURL both become "GetUrl"',
  ]);
});

test('what is read and what completes a place do not become one handler', async (t) => {
  const template = (name: string, more = '') => `  - name: ${name}
    title: A thing
    description: A thing of this server
    uriTemplate: things://{id}
    mimeType: text/plain
    access: public
${more}`;
  const text = `templates:\n${template('thing', '    complete: [id]\n')}${template('complete_thing_id')}`;
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/resources.yaml': text }), [
    'specs/surfaces/desk/resources.yaml:9:5 NAME001 {id} of thing and complete_thing_id both become "completeThingId"',
  ]);
});

test('a setting is not called as the switch of its surface is', async (t) => {
  const text = `title: Desk
switch: SERVICE_ENABLE_DESK
settings:
  wait: { env: SERVICE_DESK_WAIT, type: duration, description: How long the desk waits }
  enabled:
    env: SERVICE_DESK_OPEN
    type: boolean
    description: Whether the desk is open
  waitMs: { env: SERVICE_DESK_MS, type: integer, description: How long the desk waits }
`;
  assert.deepEqual(await problemsOf(t, { 'surfaces/desk/config.yaml': text }), [
    'specs/surfaces/desk/config.yaml:5:3 CONF001 SERVICE_DESK_OPEN and SERVICE_ENABLE_DESK both become the property "enabled"',
    'specs/surfaces/desk/config.yaml:9:3 CONF001 SERVICE_DESK_MS and SERVICE_DESK_WAIT both become the property "waitMs"',
  ]);
});

test('a switch of the process leaves the settings of the surfaces their place', async (t) => {
  const text = `sections:
  - title: Desk
    switches:
      - { env: SERVICE_SURFACES, type: integer, description: How many surfaces there are }
`;
  assert.deepEqual(await problemsOf(t, { 'config.yaml': text }), [
    'specs/config.yaml:4:11 CONF001 SERVICE_SURFACES becomes the property "surfaces", which holds the settings of the surfaces',
  ]);
});

test('the folder of a surface has a name that code can have, and that nothing else has', async (t) => {
  const config = 'title: Desk\n';
  const ids = ['desk_a', 'desk-a', 'Desk', '1desk', 'desk.b', 'house', 'common', 'd'.repeat(41)];
  const files = Object.fromEntries(ids.map((id) => [`surfaces/${id}/config.yaml`, config]));
  const form =
    'a surface is called by lower-case letters and digits, with _ or - between them, but';
  const long = 'd'.repeat(41);
  assert.deepEqual(await problemsOf(t, files), [
    `specs/surfaces/1desk:1:1 SURF009 ${form} this is "1desk"`,
    `specs/surfaces/Desk:1:1 SURF009 ${form} this is "Desk"`,
    'specs/surfaces/common:1:1 SURF009 no surface can be called "common": CommonTables are the tables that every surface sees',
    `specs/surfaces/${long}:1:1 SURF009 the name of a surface has at most 40 characters, but "${long}" has 41`,
    `specs/surfaces/desk.b:1:1 SURF009 ${form} this is "desk.b"`,
    'specs/surfaces/desk_a:1:1 SURF009 desk-a and desk_a both become "deskA"',
    'specs/surfaces/house:1:1 SURF009 no surface can be called "house": the migrations of the engines are called house/1, house/2 and so on',
  ]);
});
