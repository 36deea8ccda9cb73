import assert from 'node:assert/strict';
import test from 'node:test';
import type { Caller } from '#contract/caller';
import { SessionTable } from '../../../../runtime/mcp/sessions/session-table.ts';

const callerOf = (subject: string, tenant = 'default'): Caller => ({
  tenant,
  subject,
  client: 'test',
  scopes: 'all',
  transport: 'mcp',
});

function create({ limit = 2, idleMs = 1000 } = {}) {
  const clock = { now: 0 };
  const ended: string[] = [];
  const sessionOf = (id: string, owner = callerOf('alice'), isBusy = false) => ({
    id,
    owner,
    isBusy,
    end: () => void ended.push(id),
  });
  type Kept = ReturnType<typeof sessionOf>;
  const table = new SessionTable<Kept>({ limit, idleMs, streamMs: 0 }, () => clock.now);
  return { clock, ended, sessionOf, table };
}

test('a session is found by the caller that opened it, and by nobody else', () => {
  const { table, sessionOf } = create();
  const session = sessionOf('one');
  table.keep(session);
  assert.equal(table.find('one', callerOf('alice')), session);
  assert.equal(table.find('one', callerOf('mallory')), undefined);
  assert.equal(table.find('one', callerOf('alice', 'another')), undefined);
  assert.equal(table.find('two', callerOf('alice')), undefined);
});

test('room for one more is made of the one that was used least, and never of one in use', () => {
  const { table, sessionOf, ended } = create();
  const alice = callerOf('alice');
  const used = sessionOf('used');
  table.keep(used);
  table.keep(sessionOf('unused'));
  table.touch(used);
  table.makeRoom(alice);
  assert.deepEqual(ended, ['unused']);
  used.isBusy = true;
  table.keep(sessionOf('busy', alice, true));
  assert.throws(() => table.makeRoom(alice), { code: 'too_many_sessions', status: 429 });
  table.makeRoom(callerOf('bob'));
});

test('the process keeps ten times as many, and ends none of another caller for a new one', () => {
  const { table, sessionOf, ended } = create({ limit: 1 });
  for (let count = 0; count < 10; count++) {
    table.keep(sessionOf(`${count}`, callerOf(`caller ${count}`)));
  }
  assert.throws(() => table.makeRoom(callerOf('eve')), { status: 503 });
  assert.deepEqual(ended, []);
  table.makeRoom(callerOf('caller 3'));
  assert.deepEqual(ended, ['3']);
});

test('what nobody has used for the time set ends, and nothing that is in use', () => {
  const { table, sessionOf, ended, clock } = create();
  const touched = sessionOf('touched');
  table.keep(sessionOf('idle'));
  table.keep(sessionOf('busy', callerOf('bob'), true));
  table.keep(touched);
  clock.now = 999;
  table.touch(touched);
  table.endIdle();
  assert.deepEqual(ended, []);
  clock.now = 1000;
  table.endIdle();
  assert.deepEqual(ended, ['idle']);
  table.end(touched);
  table.touch(touched);
  assert.equal(table.find('touched', callerOf('alice')), undefined);
});
