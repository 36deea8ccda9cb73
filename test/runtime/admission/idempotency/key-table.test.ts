import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  type Claim,
  type KeyedCall,
  KeyTable,
} from '../../../../runtime/admission/idempotency/key-table.ts';
import { sqliteDatabase } from '../../store/replicas.ts';

const dayMs = 86_400_000;
const runMs = 1000;

/** What is known of a key, as the standard and the comment of the table have it. */
interface Known {
  digest: string;
  run: string;
  state: 'running' | 'done';
  answer: string;
  begun: number;
}

type Step =
  | { readonly do: 'claim'; readonly key: number; readonly digest: number; readonly owner: number }
  | { readonly do: 'finish' | 'release'; readonly run: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'clean' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('claim' as const),
        key: fc.nat(1),
        digest: fc.nat(1),
        owner: fc.nat(1),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('finish' as const, 'release' as const),
        run: fc.nat(30),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(1, runMs, dayMs),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clean' as const) }) },
  ),
  { minLength: 1, maxLength: 40 },
);

/** The table as it is meant, in memory. */
class Model {
  readonly keys = new Map<string, Known>();
  now = 0;

  claim({ operation, owner, key, digest, run }: KeyedCall): Claim {
    const place = `${operation}/${owner}/${key}`;
    const known = this.keys.get(place);
    if (known && known.begun + dayMs > this.now) {
      if (known.digest !== digest) return { kind: 'conflict' };
      if (known.state === 'done') return { kind: 'done', answer: known.answer };
      return { kind: known.begun + runMs > this.now ? 'running' : 'lost' };
    }
    this.keys.set(place, { digest, run, state: 'running', answer: '', begun: this.now });
    return { kind: 'claimed' };
  }

  of(run: string): readonly [string, Known] | undefined {
    return [...this.keys].find(([, known]) => known.run === run);
  }
}

test('whatever calls come, end and are lost: a key is done once until it expires', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all: readonly Step[]) => {
      round += 1;
      const model = new Model();
      const table = new KeyTable({ store, now: () => model.now });
      const runs: KeyedCall[] = [];
      const call = { tenant: 't', operation: `round ${round}` };
      for (const step of all) {
        switch (step.do) {
          case 'claim': {
            const { key, digest, owner } = step;
            const names = { key: `k${key}`, digest: `d${digest}`, owner: `o${owner}` };
            const asked = { ...call, ...names, run: `${round}/${runs.length}` };
            runs.push(asked);
            assert.deepEqual(await table.claim(asked, runMs), model.claim(asked));
            break;
          }
          case 'finish':
          case 'release': {
            const ending = runs[step.run % Math.max(1, runs.length)];
            const found = ending && model.of(ending.run);
            if (!ending) break;
            if (step.do === 'finish') await table.finish(ending, `answer of ${ending.run}`);
            else await table.release(ending);
            if (!found) break;
            const [place, known] = found;
            if (step.do === 'finish') {
              model.keys.set(place, { ...known, state: 'done', answer: `answer of ${known.run}` });
            } else if (known.state === 'running') model.keys.delete(place);
            break;
          }
          case 'wait':
            model.now += step.ms;
            break;
          case 'clean': {
            await table.removeExpired();
            for (const [place, { begun }] of model.keys) {
              if (begun + dayMs <= model.now) model.keys.delete(place);
            }
            const rows = await store.db
              .selectFrom('idempotency_key')
              .select('key')
              .where('operation', '=', call.operation)
              .execute();
            assert.equal(rows.length, model.keys.size);
          }
        }
      }
      await store.db.deleteFrom('idempotency_key').execute();
    }),
    { numRuns: 100 },
  );
});

test('a task that is run again takes the key that it has', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const table = new KeyTable({ store });
  const call = { tenant: 't', operation: 'o', owner: 's', key: 'k', digest: 'd', run: 'task 1' };
  assert.deepEqual(await table.claim(call, runMs), { kind: 'claimed' });
  assert.deepEqual(await table.claim(call, runMs), { kind: 'claimed' });
  assert.deepEqual(await table.claim({ ...call, run: 'task 2' }, runMs), { kind: 'running' });
});

test('what a dead process has begun is taken up by the next call, where that can be', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  let now = 0;
  const call = { tenant: 't', operation: 'o', owner: 's', key: 'k', digest: 'd', run: 'first' };
  const dead = new KeyTable({ store, now: () => now });
  await dead.claim(call, runMs, true);
  assert.deepEqual(await dead.claim({ ...call, run: 'next' }, runMs, true), { kind: 'running' });
  now = 1;
  const table = new KeyTable({ store, now: () => now });
  assert.deepEqual(await table.claim({ ...call, run: 'next' }, runMs), { kind: 'running' });
  const other = { ...call, digest: 'other', run: 'next' };
  assert.deepEqual(await table.claim(other, runMs, true), { kind: 'conflict' });
  assert.deepEqual(await table.claim({ ...call, run: 'next' }, runMs, true), { kind: 'resumed' });
  assert.deepEqual(await table.claim({ ...call, run: 'third' }, runMs, true), { kind: 'running' });
  now += runMs;
  assert.deepEqual(await table.claim({ ...call, run: 'third' }, runMs, true), { kind: 'resumed' });
  await table.finish({ ...call, run: 'next' }, 'too late');
  await table.finish({ ...call, run: 'third' }, 'answer');
  const done = { kind: 'done', answer: 'answer' };
  assert.deepEqual(await table.claim({ ...call, run: 'fourth' }, runMs, true), done);
});

test('one caller cannot have keys remembered without end', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  let now = 0;
  const table = new KeyTable({ store, now: () => now });
  const call = { tenant: 't', operation: 'o', owner: 's', digest: 'd', run: 'r' };
  const row = { state: 'done', running_until: 0, answer: '', expires_at: dayMs } as const;
  for (let from = 0; from < 10_000; from += 1000) {
    const keys = Array.from({ length: 1000 }, (_, index) => `k${from + index}`);
    const rows = keys.map((key) => ({ ...call, ...row, key }));
    await store.db.insertInto('idempotency_key').values(rows).execute();
  }
  await assert.rejects(table.claim({ ...call, key: 'one more' }, runMs), { status: 429 });
  assert.deepEqual(await table.claim({ ...call, owner: 'other', key: 'k' }, runMs), {
    kind: 'claimed',
  });
  now = dayMs;
  assert.deepEqual(await table.claim({ ...call, key: 'one more' }, runMs), { kind: 'claimed' });
  await table.removeExpired();
  const rows = await store.db.selectFrom('idempotency_key').select('key').execute();
  assert.equal(rows.length, 1);
});
