import assert from 'node:assert/strict';
import test from 'node:test';
import { shared } from '../common-server.ts';
import { addNotes, callerWith, startAuditServer } from './audit-server.ts';

const note = { operation: 'append', category: 'plan', action: 'decided', summary: 'Chose blue' };

interface Listed {
  readonly total: number;
  readonly entries: readonly {
    seq: number;
    event: string;
    actor: object;
    category: string;
    action: string;
    summary: string;
  }[];
  readonly next?: number;
}

const list = async (server: Awaited<ReturnType<typeof startAuditServer>>, args: object = {}) =>
  (await server.tool({ operation: 'list', ...args })) as unknown as Listed;

test('a note is in the log for ever, under AGENT_NOTE and in the name of its author', async (t) => {
  const server = await startAuditServer(t);
  const receipt = await server.tool({ ...note, correlationId: 'run-1' });
  assert.equal(receipt['ok'], true);
  assert.equal(receipt['seq'], 1);
  assert.equal(receipt['total'], 2);
  const record = await (await server.access.open()).entry(1);
  assert.ok(record);
  assert.equal(record.hash, receipt['hash']);
  const { action, actor, tenant, summary, correlation_id, payload } = record.entry;
  assert.deepEqual(
    { action, actor, tenant, summary, correlation_id, payload },
    {
      action: 'AGENT_NOTE',
      actor: { type: 'user', id: 'agent-1' },
      tenant: 'default',
      summary: 'Chose blue',
      correlation_id: 'run-1',
      payload: { category: 'plan', action: 'decided' },
    },
  );
});

const refused: readonly (readonly [string, object, RegExp])[] = [
  ['clear', { operation: 'clear' }, /operation: must be one of/],
  ['a note without a summary', { ...note, summary: undefined }, /missing: summary/],
  ['a category of 65 characters', { ...note, category: 'c'.repeat(65) }, /category/],
  ['an action of 129 characters', { ...note, action: 'a'.repeat(129) }, /action/],
  ['a summary of 513 characters', { ...note, summary: 's'.repeat(513) }, /summary/],
  ['an id of 129 characters', { ...note, correlationId: 'i'.repeat(129) }, /correlationId/],
  ['the name of an event', { ...note, action: 'POLICY_DENIED' }, /records itself/],
  ['such a name in other letters', { ...note, action: ' Policy_Denied' }, /records itself/],
  ['101 entries', { operation: 'list', limit: 101 }, /limit/],
  ['a secret', { ...note, summary: 'the key is ghp_0123456789abcdefghijABCDEFGHIJ' }, /summary/],
  ['a lone surrogate', { ...note, summary: 'half \ud83d of it' }, /summary/],
];
const serve = shared((t) => startAuditServer(t));
for (const [title, args, problem] of refused) {
  test(`${title} is refused, and nothing is written`, async () => {
    const server = await serve();
    const { size } = (await server.access.open()).status();
    const { error } = (await server.tool(args)) as { error?: { code: string; message: string } };
    assert.equal(error?.code, 'invalid_arguments');
    assert.match(error.message, problem);
    assert.equal((await server.access.open()).status().size, size);
  });
}

test('a note that a rolled-back log does not take will not be taken later either', async (t) => {
  const memory = {
    target: 'file:elsewhere',
    everyMs: 0,
    newest: async () =>
      'tools.example.com/audit\n9\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— x y\n',
    put: async () => undefined,
  };
  const server = await startAuditServer(t, { log: { anchors: [memory] } });
  const { error } = (await server.tool(note)) as { error?: Record<string, unknown> };
  assert.equal(error?.['retryable'], false);
  assert.equal(error['upstream_code'], 'audit_rollback_detected');
});

test('list gives 20 entries, the newest first, and the way to older ones', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 25);
  const first = await list(server);
  assert.equal(first.total, 26);
  assert.equal(first.entries.length, 20);
  assert.equal(first.entries[0]?.summary, 'Note 24');
  const second = await list(server, { before: first.next });
  assert.deepEqual(
    second.entries.map(({ seq }) => seq),
    [5, 4, 3, 2, 1],
  );
});

test('list finds notes by the words of their authors, none twice and none left out', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 25);
  const seen: number[] = [];
  let before: number | undefined;
  do {
    const page = await list(server, { category: 'odd', limit: 5, before });
    seen.push(...page.entries.map(({ seq }) => seq));
    before = page.next;
  } while (before !== undefined);
  assert.deepEqual(seen, [24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2]);
  const run = await list(server, { correlationId: 'run-1', action: 'counted' });
  assert.equal(run.entries.length, 8);
});

test('a note is told from what the server records, and shows who wrote it', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 1);
  const shown = (await list(server)).entries.map(({ event, actor, action }) => [
    event,
    action,
    actor,
  ]);
  assert.deepEqual(shown, [['AGENT_NOTE', 'counted', { type: 'agent', id: 'agent-1' }]]);
});

test('nobody sees entries of another tenant, and only audit:read sees more than notes', async (t) => {
  let caller = callerWith(new Set(['mcp.tools', 'audit:append']), 'acme');
  const server = await startAuditServer(t, { caller: () => caller });
  await addNotes(server, 1, 'acme');
  await addNotes(server, 1, 'umbrella');
  await server.access.events.policyDenied({
    actor: { type: 'agent', id: 'agent-1' },
    tenant: 'acme',
    outcome: 'denied',
    payload: { operation: 'x', transport: 'mcp', required: 'y' },
  });
  assert.deepEqual(
    (await list(server)).entries.map(({ seq, action }) => [seq, action]),
    [[1, 'counted']],
  );
  caller = callerWith(new Set(['mcp.tools', 'audit:append', 'audit:read']), 'acme');
  assert.deepEqual(
    (await list(server)).entries.map(({ seq, action }) => [seq, action]),
    [
      [3, 'POLICY_DENIED'],
      [1, 'counted'],
    ],
  );
});
