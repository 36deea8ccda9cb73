import assert from 'node:assert/strict';
import test from 'node:test';
import type { CallContext } from '#contract/caller';
import { ServiceError, ToolError } from '#contract/errors';
import type { AuditEvent, AuditReceipt } from '#contract/house/audit';
import type { Operation } from '#contract/operation';
import { createHouseEvents } from '../../../generated/audit-events.ts';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { StartError } from '../../../runtime/process/start-error.ts';

const settled: AuditReceipt = { seq: 7, hash: 'a'.repeat(64), ts: '2026-01-01T00:00:00.000Z' };
const down = new ServiceError('audit_unavailable', 503, 'the audit log takes no entries');

function contextWith(scopes: CallContext['caller']['scopes']): CallContext {
  return {
    caller: { tenant: 'acme', subject: 'agent-1', client: 'test', scopes, transport: 'mcp' },
    signal: new AbortController().signal,
    client: { capabilities: {} },
    answers: { responses: {}, round: 0 },
    callId: 'call-1',
  };
}

/** An admission whose log does as `append` says. */
function admissionWith(append: (event: AuditEvent) => Promise<AuditReceipt>) {
  const events: AuditEvent[] = [];
  const losses: unknown[] = [];
  const admission = createAdmission({
    callRate: 0,
    audit: {
      events: createHouseEvents({
        async append(event) {
          events.push(event);
          return append(event);
        },
        appendLater(event, lost) {
          events.push(event);
          append(event).catch(lost);
        },
      }),
      onLoss: (error) => losses.push(error),
    },
  });
  return { admission, events, losses };
}

const operation = (audit: Operation['audit'], more: Partial<Operation> = {}): Operation => ({
  name: 'money_move',
  access: ['mcp.tools'],
  ...(audit && { audit }),
  ...more,
});

const open = contextWith(new Set(['mcp.tools']));

test('an intent is on disk before the handler runs, and its outcome names it', async () => {
  const order: string[] = [];
  const { admission, events } = admissionWith(async ({ outcome }) => {
    await new Promise(setImmediate);
    order.push(outcome);
    return settled;
  });
  const run = admission.admit(operation('intent'), async () => {
    order.push('handler');
    return 'done';
  });
  assert.equal(await run({}, open), 'done');
  assert.deepEqual(order, ['intent', 'handler', 'ok']);
  const [intent, outcome] = events;
  assert.deepEqual(intent, {
    category: 'governance',
    action: 'OPERATION_CALLED',
    actor: { type: 'agent', id: 'agent-1' },
    tenant: 'acme',
    subject: null,
    outcome: 'intent',
    correlation_id: 'call-1',
    summary: 'money_move was called',
    payload: { operation: 'money_move', transport: 'mcp' },
  });
  assert.equal(outcome?.payload['intent_seq'], settled.seq);
  assert.equal(outcome?.correlation_id, 'call-1');
});

test('without its intent on disk an operation does not run', async () => {
  const { admission, losses } = admissionWith(async () => {
    throw down;
  });
  let ran = false;
  const run = admission.admit(operation('intent'), async () => {
    ran = true;
  });
  await assert.rejects(run({}, open), down);
  assert.equal(ran, false);
  assert.deepEqual(losses, []);
});

test('what has been done is answered, even when its outcome cannot be written', async () => {
  const { admission, losses } = admissionWith(async ({ outcome }) => {
    if (outcome === 'intent') return settled;
    throw down;
  });
  const run = admission.admit(operation('intent'), async () => 'done');
  assert.equal(await run({}, open), 'done');
  assert.deepEqual(losses, [down]);
});

test('an outcome does not hold up the answer', async () => {
  let write: (receipt: AuditReceipt) => void = () => {};
  const { admission, events } = admissionWith(
    () =>
      new Promise((resolve) => {
        write = resolve;
      }),
  );
  const run = admission.admit(operation('outcome'), async () => 'done');
  // The log has not answered by now, and never does before the call is over.
  assert.equal(await run({}, open), 'done');
  assert.deepEqual(
    events.map(({ outcome }) => outcome),
    ['ok'],
  );
  write(settled);
});

test('an outcome that cannot be written is told, and the call succeeds', async () => {
  const { admission, losses } = admissionWith(async () => {
    throw down;
  });
  const run = admission.admit(operation('outcome'), async () => 'done');
  assert.equal(await run({}, open), 'done');
  await new Promise(setImmediate);
  assert.deepEqual(losses, [down]);
});

const failures: readonly (readonly [Error, 'denied' | 'failed', string])[] = [
  [new ToolError('upstream_error', 'broken'), 'failed', 'upstream_error'],
  [new ToolError('forbidden', 'no'), 'denied', 'forbidden'],
  [new ServiceError('not_yours', 403, 'no'), 'denied', 'not_yours'],
  [new ServiceError('gone', 404, 'no'), 'failed', 'gone'],
  [new Error('a secret detail'), 'failed', 'internal'],
];
for (const audit of ['intent', 'outcome'] as const) {
  for (const [failure, outcome, code] of failures) {
    test(`${audit}: ${failure.message} (${code}) is written as ${outcome}`, async () => {
      const { admission, events } = admissionWith(async () => settled);
      const run = admission.admit(operation(audit), async () => {
        throw failure;
      });
      await assert.rejects(run({}, open), failure);
      const last = events.at(-1);
      assert.equal(last?.outcome, outcome);
      assert.equal(last?.payload['error'], code);
      assert.doesNotMatch(JSON.stringify(last), /secret detail/);
    });
  }
}

test('a tool result that says that it failed is written as failed', async () => {
  const { admission, events } = admissionWith(async () => settled);
  const run = admission.admit(operation('outcome'), async () => ({ content: [], isError: true }));
  await run({}, open);
  assert.equal(events[0]?.outcome, 'failed');
});

test('outcomes that take turns are each written as what they are', async () => {
  const { admission, events } = admissionWith(async () => settled);
  const admitted = ['first', 'second'].map((name) =>
    admission.admit(operation('outcome', { name }), async ({ isError }) => {
      if (isError === 'thrown') throw new ToolError('upstream_error', 'broken');
      return { content: [], isError };
    }),
  );
  const callers = [open, { ...open, caller: { ...open.caller, subject: 'agent-2' } }];
  const expected: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (const isError of [false, true, 'thrown']) {
      for (const [index, run] of admitted.entries()) {
        for (const [number, context] of callers.entries()) {
          await run({ isError }, { ...context, callId: `call-${expected.length}` }).catch(() => {});
          expected.push(
            `call-${expected.length} agent-${number + 1} ${['first', 'second'][index]} ${isError === false ? 'ok' : 'failed'} ${isError === 'thrown' ? 'upstream_error' : undefined}`,
          );
        }
      }
    }
  }
  const written = events.map(
    ({ correlation_id, actor, outcome, payload: { operation, error } }) =>
      `${correlation_id} ${actor.id} ${operation} ${outcome} ${error}`,
  );
  assert.deepEqual(written, expected);
});

test('who may not use an audited operation is written down, and not run', async () => {
  const { admission, events } = admissionWith(async () => settled);
  const run = admission.admit(operation('intent', { access: ['a', 'b'] }), async () => 'done');
  assert.throws(() => run({}, open), { code: 'insufficient_scope' });
  const [denial, ...rest] = events;
  assert.deepEqual(rest, []);
  assert.equal(denial?.action, 'POLICY_DENIED');
  assert.equal(denial.outcome, 'denied');
  assert.deepEqual(denial.payload, { operation: 'money_move', transport: 'mcp', required: 'a b' });
});

test('operations that do not ask for it leave no trace', async () => {
  const { admission, events } = admissionWith(async () => settled);
  const handler = async () => 'done';
  assert.equal(await admission.admit(operation(undefined), handler)({}, open), 'done');
  const refused = admission.admit(operation(undefined, { access: ['a'] }), handler);
  assert.throws(() => refused({}, open), { code: 'insufficient_scope' });
  assert.deepEqual(events, []);
});

test('an operation that has to be audited is not offered where nothing does that', () => {
  const admission = createAdmission({ callRate: 0 });
  assert.throws(() => admission.admit(operation('outcome'), async () => 'done'), StartError);
});
