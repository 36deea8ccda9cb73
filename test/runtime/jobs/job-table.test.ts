import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { JobRow } from '../../../generated/tables.ts';
import { JobTable } from '../../../runtime/jobs/job-table.ts';
import { jobRow } from '../store/job-row.ts';
import { openStore } from '../store/replicas.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const leaseMs = 100;

/** A clock that stands in the database, where the test moves it. */
const clock = sql<number>`(select c.run_at from job as c where c.name = 'clock')`;

const step = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), owner: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 150 }) }),
  // Which of all claims so far acts, whether it still holds or not.
  fc.record({
    kind: fc.constantFrom('renew' as const, 'remove' as const, 'postpone' as const),
    claim: fc.nat(),
  }),
  fc.record({ kind: fc.constant('add' as const), key: fc.constantFrom('x', 'y') }),
);

/** What the test knows of one job: who may have it until when. */
interface Model {
  owner: string;
  state: 'absent' | 'waiting' | 'running';
  until: number;
}

test('whatever happens in whatever order, a job has one holder, and only that one changes it', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const table = new JobTable(store, { now: clock });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await store.db.deleteFrom('job').execute();
      await store.db
        .insertInto('job')
        .values(jobRow({ name: 'clock', run_at: 0 }))
        .execute();
      const models = new Map<string, Model>();
      const claims: JobRow[] = [];
      let now = 0;
      for (const next of steps) {
        // Everything takes some time; only how much is open.
        now += next.kind === 'pass' ? next.ms : 1;
        await store.db
          .updateTable('job')
          .set({ run_at: now })
          .where('name', '=', 'clock')
          .execute();
        if (next.kind === 'pass') continue;
        if (next.kind === 'add') {
          const request = { tenant: 't', name: 'work', payload: null, delayMs: 0, key: next.key };
          await table.add(request, undefined);
          const model = models.get(next.key);
          if (!model || model.state === 'absent') {
            models.set(next.key, { owner: '', state: 'waiting', until: 0 });
          }
        } else if (next.kind === 'claim') {
          const free = [...models].filter(
            ([, { state, until }]) => state === 'waiting' || (state === 'running' && until < now),
          );
          const row = await table.claim(['work'], `${next.owner}${claims.length}`, leaseMs);
          assert.equal(row !== undefined, free.length > 0);
          if (!row) continue;
          const taken = free.find(([key]) => key === row.key)?.[1];
          assert.ok(taken, `${row.key} has a holder already`);
          const before = claims.filter(({ key }) => key === row.key).map(({ token }) => token);
          assert.ok(
            before.every((token) => token < row.token),
            'an old token comes again',
          );
          Object.assign(taken, { owner: row.owner, state: 'running', until: now + leaseMs });
          claims.push(row);
        } else {
          const claim = claims[next.claim % Math.max(claims.length, 1)];
          const model = claim && models.get(claim.key);
          if (!claim || !model) continue;
          const holds = model.state === 'running' && model.owner === claim.owner;
          if (next.kind === 'renew') {
            assert.equal(await table.renew(claim, leaseMs), holds);
            if (holds) model.until = now + leaseMs;
          } else if (next.kind === 'remove') {
            await table.remove(claim);
            if (holds) model.state = 'absent';
          } else {
            await table.postpone(claim, 0, { attempt: 0, last_error: '' });
            if (holds) Object.assign(model, { state: 'waiting', owner: '' });
          }
        }
        const rows = await store.db
          .selectFrom('job')
          .selectAll()
          .where('name', '=', 'work')
          .execute();
        const seen = rows.map(({ key, state, owner }) => ({ key, state, owner }));
        const known = [...models].filter(([, { state }]) => state !== 'absent');
        const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);
        assert.deepEqual(
          seen.toSorted(byKey),
          known.map(([key, { state, owner }]) => ({ key, state, owner })).toSorted(byKey),
        );
      }
    }),
    { numRuns: 150 },
  );
});

test('a clock that goes back takes no job from its holder, and gives the next one a larger token', async (t) => {
  const store = await openStore(t, { dataDir: temporaryDirectory(t) });
  const table = new JobTable(store, { now: clock });
  await store.db
    .insertInto('job')
    .values(jobRow({ name: 'clock', run_at: 1_000_000 }))
    .execute();
  const setClock = (now: number) =>
    store.db.updateTable('job').set({ run_at: now }).where('name', '=', 'clock').execute();
  const request = { tenant: 't', name: 'work', key: 'x', payload: null, delayMs: 0 };
  await table.add(request, undefined);
  const first = await table.claim(['work'], 'a', leaseMs);
  assert.ok(first);
  await setClock(500_000);
  assert.equal(await table.claim(['work'], 'b', leaseMs), undefined);
  assert.equal(await table.renew(first, leaseMs), true);
  await setClock(500_000 + leaseMs + 1);
  const second = await table.claim(['work'], 'b', leaseMs);
  assert.ok(second && second.token > first.token);
  await table.remove(first);
  assert.equal(await table.renew(second, leaseMs), true);
});
