import assert from 'node:assert/strict';
import test from 'node:test';
import type { AuditEvent } from '#contract/house/audit';
import type { JsonObject } from '#contract/json';
import { auditCatalogue } from '../../../generated/audit-events.ts';
import { checkPayloads } from '../../../runtime/audit/wiring/audit-payloads.ts';

function writer() {
  const written: AuditEvent[] = [];
  const log = checkPayloads(
    {
      async append(event) {
        written.push(event);
        return { seq: written.length - 1, hash: '', ts: '' };
      },
      appendLater: (event) => void written.push(event),
      recurring: (event, integer) => (correlation_id, value) => {
        written.push({ ...event, correlation_id, payload: { ...event.payload, [integer]: value } });
      },
    },
    auditCatalogue,
  );
  return { log, written };
}

function event(action: string, payload: JsonObject): AuditEvent {
  return {
    category: 'governance',
    action,
    actor: { type: 'system', id: 'test' },
    tenant: null,
    subject: null,
    outcome: 'ok',
    correlation_id: null,
    summary: 'A test',
    payload,
  };
}

test('an event that satisfies its schema is written', async () => {
  const { log, written } = writer();
  const note = event('AGENT_NOTE', { category: 'plan', action: 'decided' });
  assert.equal((await log.append(note)).seq, 0);
  assert.equal((await log.append(note)).seq, 1);
  assert.deepEqual(written, [note, note]);
});

const refused: readonly (readonly [string, AuditEvent, string])[] = [
  ['an event that is not in the catalogue', event('FREE_TEXT', {}), 'action'],
  ['the name of an inherited property', event('constructor', {}), 'action'],
  [
    'an unknown field',
    event('AGENT_NOTE', { category: 'a', action: 'b', more: 1 }),
    'payload.more',
  ],
  ['a missing field', event('AGENT_NOTE', { category: 'a' }), 'payload.action'],
  ['a wrong type', event('AGENT_NOTE', { category: 'a', action: 1 }), 'payload.action'],
  ['a float', event('AUDIT_EXPORTED', { size: 1.5, root: 'x' }), 'payload.size'],
  [
    'an unknown field of an inner object',
    event('AUDIT_LOG_OPENED', {
      vkey: 'k',
      predecessor: { origin: 'b/audit', size: 1, root: 'r', note: 'n' },
    }),
    'payload.predecessor.note',
  ],
];
for (const [title, wrong, field] of refused) {
  test(`${title} is refused where nobody waits too, the first time and later`, async () => {
    const { log, written } = writer();
    const losses: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      await log.appendLater(wrong, (error) => losses.push(error));
    }
    assert.deepEqual(written, []);
    assert.equal(losses.length, 2);
    for (const loss of losses) await assert.rejects(Promise.reject(loss), { detail: { field } });
  });

  test(`${title} is refused with its field named, and nothing is written`, async () => {
    const { log, written } = writer();
    await assert.rejects(log.append(wrong), {
      code: 'audit_invalid_event',
      status: 400,
      detail: { field },
    });
    assert.deepEqual(written, []);
  });
}

test('an event that recurs is checked once, as soon as its schema is compiled', async () => {
  const { log, written } = writer();
  const called = { operation: 'money_move', transport: 'mcp' };
  const prepare = (payload: JsonObject, integer: string) =>
    log.recurring(event('OPERATION_CALLED', payload), integer, assert.ifError);
  assert.equal(prepare(called, 'duration_ms'), undefined);
  await log.append(event('OPERATION_CALLED', called));
  prepare(called, 'duration_ms')?.('call-1', 7);
  assert.deepEqual(written[1]?.payload, { ...called, duration_ms: 7 });
  for (const [payload, integer, field] of [
    [called, 'elapsed', 'payload.elapsed'],
    [called, 'error', 'payload.error'],
    [{ operation: 'money_move' }, 'duration_ms', 'payload.transport'],
  ] as const) {
    assert.throws(() => prepare(payload, integer), {
      code: 'audit_invalid_event',
      detail: { field },
    });
  }
});
