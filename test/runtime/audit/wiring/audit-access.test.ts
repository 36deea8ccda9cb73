import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import type { AuditLog } from '#contract/house/audit';
import { auditCatalogue } from '../../../../generated/audit-events.ts';
import { createSchemaCompiler } from '../../../../runtime/admission/steps/schema-compiler.ts';
import { openAuditLog, openSuccessorLog } from '../../../../runtime/audit/index.ts';
import { createAuditAccess } from '../../../../runtime/audit/wiring/audit-access.ts';
import { StartError } from '../../../../runtime/process/start-error.ts';

function settings(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'audit-access-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, origin: 'tools.example.com/audit', anchors: [] };
}

const system = { actor: { type: 'system', id: 'test' }, tenant: null } as const;

test('an event is written with what the catalogue knows of it', async (t) => {
  const access = createAuditAccess(() => openAuditLog(settings(t)));
  const { seq } = await access.events.auditExported({
    ...system,
    subject: 'bundle',
    payload: { size: 1, root: 'b' },
  });
  const record = await (await access.open()).entry(seq);
  assert.ok(record);
  const { category, action, outcome, subject, summary, payload } = record.entry;
  assert.deepEqual(
    { category, action, outcome, subject, summary, payload },
    {
      category: 'governance',
      action: 'AUDIT_EXPORTED',
      outcome: 'ok',
      subject: 'bundle',
      summary: 'Entries of the log were handed out as a bundle',
      payload: { size: 1, root: 'b' },
    },
  );
  await access.close();
});

test('what is on its way when the log is closed is in it', async (t) => {
  const options = settings(t);
  const access = createAuditAccess(() => openAuditLog(options));
  const receipts = Array.from({ length: 10 }, () =>
    access.events.auditExported({ ...system, payload: { size: 1, root: 'b' } }),
  );
  await access.close();
  assert.equal((await Promise.all(receipts)).at(-1)?.seq, 10);
});

test('what recurs is written before the log is open, while it opens and afterwards', async (t) => {
  const options = settings(t);
  const access = createAuditAccess(() => openAuditLog(options));
  t.after(() => access.close());
  const facts = { ...system, payload: { operation: 'money_move', transport: 'mcp' } } as const;
  const append = access.events.operationCalled.recurring(facts, 'duration_ms', assert.ifError);
  append('call-0', 0);
  append('call-1', 1);
  const log = await access.open();
  while (log.status().size < 3) await new Promise(setImmediate);
  const whole = t.mock.method(log, 'appendLater');
  append(randomUUID(), 2);
  append(randomUUID(), 3);
  assert.equal(whole.mock.callCount(), 0, 'from then on, it is checked and rendered no more');
  await access.close();
  const again = await openAuditLog(options);
  t.after(() => again.close());
  const { records } = await again.list({ limit: 10 });
  const payloads = records.map(({ entry }) => entry.payload);
  assert.deepEqual(
    payloads.filter(({ operation }) => operation === 'money_move').reverse(),
    [0, 1, 2, 3].map((duration_ms) => ({ duration_ms, ...facts.payload })),
  );
});

test('a log that nobody used is not opened to be closed', async () => {
  const access = createAuditAccess(async () => {
    throw new Error('opened');
  });
  assert.equal(await access.isReady(), false);
  await access.close();
});

test('a log that is being opened is not ready, and nobody waits to be told so', async (t) => {
  const options = settings(t);
  const gate = Promise.withResolvers<void>();
  const access = createAuditAccess(async () => {
    await gate.promise;
    return openAuditLog(options);
  });
  const opening = access.open();
  assert.equal(await access.isReady(), false);
  gate.resolve();
  await opening;
  assert.equal(await access.isReady(), true);
  await access.close();
});

test('a log that could not be opened is tried again', async (t) => {
  const options = settings(t);
  let tries = 0;
  const access = createAuditAccess(async () => {
    tries += 1;
    if (tries === 1) throw new StartError('another process has it');
    return openAuditLog(options);
  });
  await assert.rejects(access.open(), StartError);
  const [first, second] = await Promise.all([access.open(), access.open()]);
  assert.equal(first, second);
  assert.equal(await access.isReady(), true);
  assert.equal(tries, 2);
  await access.close();
});

test('what the log writes of its own accord is in the catalogue', async (t) => {
  const options = settings(t);
  const old = await openAuditLog(options);
  await holdToCatalogue(old, ['AUDIT_LOG_OPENED']);
  await old.close();
  const database = new DatabaseSync(join(options.directory, 'audit.sqlite'));
  database.exec("UPDATE meta SET value = '{}' WHERE name = 'head'");
  database.close();
  const next = await openSuccessorLog(options, 'an older copy was put back');
  await holdToCatalogue(next, ['AUDIT_ROLLBACK_DETECTED', 'AUDIT_LOG_OPENED']);
  await next.close();
});

async function holdToCatalogue(log: AuditLog, actions: readonly string[]): Promise<void> {
  const { records } = await log.list({ limit: 100 });
  const entries = records.map(({ entry }) => entry);
  assert.deepEqual(
    entries.map(({ action }) => action),
    actions,
  );
  const compiler = createSchemaCompiler({ allErrors: true });
  for (const { action, category, payload } of entries) {
    const definition = auditCatalogue[action];
    assert.ok(definition);
    assert.equal(category, definition.category);
    const validate = compiler.compile(definition.payload);
    assert.ok(validate(payload), `${action}: ${JSON.stringify(validate.errors?.[0]?.message)}`);
  }
}
