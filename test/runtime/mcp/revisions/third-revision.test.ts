import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Method } from '../../../../runtime/mcp/request/method.ts';
import { failure, type ServedRevision } from '../../../../runtime/mcp/request/revision.ts';
import { RevisionTable } from '../../../../runtime/mcp/revisions/revision-table.ts';
import { served } from '../../../../runtime/mcp/revisions/served.ts';
import { errorReply, resultReply } from '../../../../runtime/mcp/wire/reply.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { echo } from '../../in-memory-tools.ts';
import { legacy, modern } from '../rpc.ts';
import { open, opening, say } from '../sessions/session.ts';

// A revision is a value: nothing else has to change when one more is served.

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** A revision that nobody has written, with one method of its own, which gives the version. */
function madeUp(era: ServedRevision['era'], ...versions: [string, ...string[]]): ServedRevision {
  const which: Method = { run: () => ({ kind: 'complete', result: { spoken: versions[0] } }) };
  const result = { protocolVersion: versions[0], capabilities: {}, serverInfo: {} };
  const initialize: Method = { run: () => ({ kind: 'complete', result }) };
  const opens = era === 'legacy' ? [['initialize', initialize] as const] : [];
  const methods = new Map<string, Method>([['which', which], ...opens]);
  return {
    era,
    versions,
    speak: ({ supported }, session) => ({
      methods,
      checkNotification: () => undefined,
      decode({ method: name, params }) {
        const method = methods.get(name);
        if (!method) return failure(400, -32601, `${versions[0]} has no ${name}`, { supported });
        const client = session?.client ?? { capabilities: {} };
        return {
          kind: 'decoded',
          version: versions[0],
          method,
          params,
          client,
          progressToken: undefined,
        };
      },
      encode: (outcome, id) =>
        outcome.kind === 'complete'
          ? resultReply(id, JSON.stringify(outcome.result))
          : errorReply(400, { code: -32000, message: outcome.kind }, id),
    }),
  };
}

const later = '2027-03-14';
const between = '2026-12-24';
const early = '2024-11-05';
const revisions = [
  ...served,
  madeUp('modern', between),
  madeUp('legacy', early),
  madeUp('modern', later),
];
const supported = [later, between, '2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', early];

const speaking = (version: string) =>
  [{ [versionKey]: version }, { 'mcp-protocol-version': version }] as const;

test('requests of a later revision are understood as that revision has it', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo], revisions });
  for (const version of [later, between]) {
    const [_meta, headers] = speaking(version);
    const { status, body } = await modern(url, { method: 'which', _meta }, headers);
    assert.equal(status, 200);
    assert.deepEqual(body.result, { spoken: version });
    const { body: lacking } = await modern(url, { method: 'tools/list', _meta }, headers);
    assert.equal(lacking.error?.message, `${version} has no tools/list`);
  }
});

test('the revisions that were there before are served as before, and name the new ones', async (t) => {
  const url = await startInMemoryServer(t, { tools: [echo], revisions });
  const { body } = await modern(url, { method: 'server/discover' });
  assert.deepEqual(body.result?.['supportedVersions'], supported);
  const { status } = await modern(url, { method: 'tools/list' });
  assert.equal(status, 200);
  const { body: without } = await modern(url, { method: 'which' });
  assert.equal(without.error?.code, -32601);
  const { body: old } = await legacy(
    url,
    { method: 'tools/list' },
    { 'mcp-protocol-version': '2025-06-18' },
  );
  assert.ok(old.result?.['tools']);
});

test('a version of neither is refused with all that are served, newest first', async (t) => {
  const url = await startInMemoryServer(t, {
    tools: [echo],
    revisions: [...served, madeUp('legacy', early)],
  });
  const [_meta, headers] = speaking('2027-01-01');
  const { status, body } = await modern(url, { method: 'tools/list', _meta }, headers);
  assert.equal(status, 400);
  assert.deepEqual(body.error?.data, { supported: supported.slice(2), requested: '2027-01-01' });
});

test('a handshake agrees on an older revision, with a session and without one', async (t) => {
  const asked = { ...opening, params: { ...opening.params, protocolVersion: early } };
  const header = { 'mcp-protocol-version': early };
  const url = await startInMemoryServer(t, { tools: [echo], revisions });
  const { body } = await legacy(url, asked);
  assert.equal(body.result?.['protocolVersion'], early);
  const which = await legacy(url, { method: 'which' }, header);
  assert.deepEqual(which.body.result, { spoken: early });

  const withSessions = await startInMemoryServer(t, { tools: [echo], revisions, sessions: {} });
  const opened = await legacy(withSessions, asked);
  assert.equal(opened.body.result?.['protocolVersion'], early);
  const session = { ...header, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const inSession = await legacy(withSessions, { method: 'which', id: 2 }, session);
  assert.deepEqual(inSession.body.result, { spoken: early });
  const id = await open(withSessions);
  const listed = await say(withSessions, id, { method: 'tools/list' });
  assert.ok(listed.body.result?.['tools']);
});

test('where no revision has a handshake, there are no sessions, and its messages are refused', async (t) => {
  const only = served.filter(({ era }) => era === 'modern');
  const url = await startInMemoryServer(t, { tools: [echo], revisions: only, sessions: {} });
  const { status, body } = await legacy(url, opening);
  assert.equal(status, 400);
  assert.match(String(body.error?.message), /protocolVersion/);
});

test('a version that two rows serve stops the start, as do no rows at all', () => {
  // Nothing of it is touched before a request comes.
  const offer = {} as ConstructorParameters<typeof RevisionTable>[1];
  const twice = [madeUp('modern', later), madeUp('modern', between, later)];
  assert.throws(() => new RevisionTable(twice, offer), /2027-03-14, 2027-03-14/);
  assert.throws(() => new RevisionTable([], offer), /no revision is served/);
});

test('no version stands in the code anywhere but in the file of its revision', () => {
  const mcp = join(import.meta.dirname, '../../../../runtime/mcp');
  const files = readdirSync(mcp, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/^revisions\/\d{4}-/.test(name.replaceAll('\\', '/')),
  );
  assert.ok(files.length > 50);
  for (const name of files) {
    const code = readFileSync(join(mcp, name), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .replace(/from '\.\/\d{4}-\d{2}-\d{2}\.ts'/g, '')
      .replaceAll(/revision\d{8}/g, '');
    assert.doesNotMatch(code, /20\d\d-\d\d-\d\d/, name);
  }
});
