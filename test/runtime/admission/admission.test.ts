import assert from 'node:assert/strict';
import test from 'node:test';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Operation } from '#contract/operation';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import { assemble } from '../../../runtime/admission/steps/pipeline.ts';

const caller: Caller = {
  tenant: 'default',
  subject: 'agent',
  client: 'test',
  scopes: new Set(['mcp.tools']),
  transport: 'mcp',
};

const operation: Operation = { name: 'acme_read', access: ['mcp.tools'] };

function runs(options: Operation, callRate = 0, as: Caller = caller) {
  const run = createAdmission({ callRate }).admit(options, async () => 'done');
  return () => run({}, new Call(as));
}

/** The error of a call; some steps throw at once, others reject. */
async function refusal(run: () => Promise<unknown>): Promise<ServiceError> {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  return assert.fail('the call was let through');
}

test('whoever reaches the loopback interface is the operator', () => {
  const { authenticate } = createAdmission({ callRate: 0 });
  const operator = { tenant: 'default', subject: 'local', client: 'unknown', scopes: 'all' };
  const from = (address: string | undefined, isLocal = false) =>
    authenticate({ ...terminalArrival, transport: 'mcp', address, isLocal });
  for (const address of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
    assert.deepEqual(from(address), { ...operator, transport: 'mcp' }, address);
  }
  assert.deepEqual(authenticate(terminalArrival), { ...operator, transport: 'cli' });
  assert.deepEqual(from(undefined, true), { ...operator, transport: 'mcp' }, 'a pipe');
  for (const address of ['10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1', undefined]) {
    assert.throws(() => from(address), { status: 401 }, String(address));
  }
});

test('a caller needs every scope', async () => {
  const access = ['mcp.tools', 'provider:acme:write'];
  const { status, detail } = await refusal(runs({ ...operation, access }));
  assert.equal(status, 403);
  assert.equal(detail['scope'], 'mcp.tools provider:acme:write');
  assert.equal(await runs({ ...operation, access }, 0, { ...caller, scopes: 'all' })(), 'done');
  assert.equal(await runs(operation)(), 'done');
});

test('a public operation needs none', async () => {
  const nobody = { ...caller, scopes: new Set<string>() };
  assert.equal(await runs({ ...operation, access: 'public' }, 0, nobody)(), 'done');
});

test("an operation's limit holds for each caller on its own", async () => {
  const limited: Operation = { ...operation, limit: { requests: 2, perMs: 60_000 } };
  const run = createAdmission({ callRate: 0 }).admit(limited, async () => 'done');
  const as = (subject: string) => () => run({}, new Call({ ...caller, subject }));
  await as('one')();
  await as('one')();
  const { status, retryAfterMs } = await refusal(as('one'));
  assert.equal(status, 429);
  assert.ok(retryAfterMs && retryAfterMs > 0 && retryAfterMs <= 60_000);
  assert.equal(await as('two')(), 'done');
});

test('the common limit counts all operations but the public ones', async () => {
  const admission = createAdmission({ callRate: 1 });
  const run = (name: string, access: Operation['access']) =>
    admission.admit({ name, access }, async () => 'done')({}, new Call(caller));
  await run('one', []);
  assert.equal((await refusal(() => run('two', []))).status, 429);
  assert.equal(await run('health', 'public'), 'done');
});

test('a scope is looked at before the limit and the input', async () => {
  const closed: Operation = {
    name: 'acme_write',
    access: ['provider:acme:write'],
    limit: { requests: 1, perMs: 60_000 },
    input: { type: 'object', required: ['id'] },
  };
  const run = runs(closed);
  for (let count = 0; count < 3; count += 1) assert.equal((await refusal(run)).status, 403);
});

test('an operation that uses no step is its bare handler', () => {
  const handler = async () => 'done';
  const admission = createAdmission({ callRate: 0 });
  assert.equal(admission.admit({ name: 'health', access: 'public' }, handler), handler);
});

test('an operation that demands a step which does not exist cannot be offered', () => {
  const admission = createAdmission({ callRate: 0 });
  const priced: Operation = { ...operation, price: { amount: '0.01', currency: 'USD' } };
  assert.throws(() => admission.admit(priced, async () => 'done'), {
    message: /^acme_read cannot be offered: it costs 0\.01 USD, but/,
  });
  const confirmed: Operation = { ...operation, confirm: 'elicitation' };
  assert.throws(() => admission.admit(confirmed, async () => 'done'), /a person has to confirm it/);
  for (const idempotency of ['optional', 'required'] as const) {
    const once: Operation = { ...operation, idempotency };
    assert.throws(() => admission.admit(once, async () => 'done'), {
      message: `acme_read cannot be offered: a call with a key may not be done twice (${idempotency}), but nothing here does that`,
    });
  }
});

test('an operation with a price runs behind the payment that a surface has added', async () => {
  const priced: Operation = { ...operation, price: { amount: '0.01', currency: 'USD' } };
  const paid: string[] = [];
  const admission = createAdmission({
    callRate: 0,
    payment: ({ name, price }, next) => {
      return (...args) => {
        paid.push(`${name} ${price?.amount}`);
        return next(...args);
      };
    },
  });
  const run = admission.admit(priced, async () => 'done');
  assert.deepEqual(paid, []);
  assert.equal(await run({}, new Call(caller)), 'done');
  assert.deepEqual(paid, ['acme_read 0.01']);
});

test('steps stand in their order, whatever order they are given in', async () => {
  const seen: string[] = [];
  const step =
    (name: string) =>
    <Result>(_: Operation, next: (...args: never[]) => Promise<Result>) =>
    (...args: never[]) => {
      seen.push(name);
      return next(...args);
    };
  const steps = Object.fromEntries(
    ['audit', 'validate', 'payment', 'authorize', 'confirm'].map((name) => [name, step(name)]),
  );
  await assemble(steps as never, operation, async () => 'done')({}, new Call(caller));
  assert.deepEqual(seen, ['authorize', 'validate', 'confirm', 'payment', 'audit']);
});
