import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { storeWith } from '#contract/house/store';
import type { CommerceEvents } from '../../../../generated/surfaces/commerce/events.ts';
import type { CommerceTables } from '../../../../generated/surfaces/commerce/tables.ts';
import { createMeterReporter } from '../../../../runtime/surfaces/commerce/meters/meter-reporter.ts';
import { createMeteredUses } from '../../../../runtime/surfaces/commerce/meters/metered-uses.ts';
import { reportUse } from '../../../../runtime/surfaces/commerce/meters/report-use.ts';
import { Processor, secretKey } from '../../../payments/processor/processor.ts';
import { openStore } from '../../../runtime/store/replicas.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';

const [hour, day] = [3_600_000, 86_400_000];
const path = 'POST /v1/billing/meter_events';
const use = {
  ...{ tenant: 'default', subject: 'agent', operation: 'tool:search', plan: 'plan partners' },
  meter: { event: 'tool_calls', customer: 'cus_1' },
};

/** One use that is to be reported, to a processor that keeps books. */
async function openMeter(t: TestContext) {
  const processor = await Processor.start();
  t.after(() => processor.stop());
  processor.books.meters.add('tool_calls');
  const store = storeWith<CommerceTables>(await openStore(t, { dataDir: temporaryDirectory(t) }));
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const stored: string[] = [];
  const jobs = {
    enqueue: async ({ key = '' }: { readonly key?: string }) => void stored.push(key),
    wake() {},
  };
  const uses = createMeteredUses(store, jobs, now);
  await uses.keep(use);
  const [key = ''] = stored;
  const told: string[] = [];
  const events = new Proxy({} as CommerceEvents, {
    get: (_, name) => async () => ({ seq: told.push(String(name)) - 1 }),
  });
  const run = () => {
    // A reporter of its own: nothing of an earlier run is in memory.
    const report = createMeterReporter({ secretKey, apiUrl: new URL(processor.url) });
    return reportUse({ uses, report, events, now }, { tenant: 'default', key });
  };
  const found = async () => uses.find('default', key);
  const asked = () => processor.asked.filter((each) => `${each.method} ${each.path}` === path);
  return { processor, uses, clock, told, run, found, asked, key };
}

test('a use is told with its own name, its time and its customer, and once', async (t) => {
  const { processor, run, found, told, key, clock, asked } = await openMeter(t);
  await run();
  await run();
  assert.equal(asked().length, 1);
  const [counted] = Object.values(processor.books.uses);
  assert.deepEqual(
    [counted?.identifier, counted?.event_name, counted?.payload, counted?.timestamp],
    [
      ...[key, 'tool_calls', { stripe_customer_id: 'cus_1', value: '1' }],
      Math.floor(clock.now / 1000),
    ],
  );
  assert.equal((await found())?.state, 'reported');
  assert.deepEqual(told, ['cardMeterReported']);
});

test('an answer that was lost does not count a use twice, whichever process asks again', async (t) => {
  const { processor, run, found, told } = await openMeter(t);
  processor.happen(path, 'done and cut', 'done and cut', 'done and cut');
  await assert.rejects(run());
  assert.ok(((await found())?.sent_at ?? 0) > 0, 'it may have been counted');
  await run();
  assert.equal(Object.keys(processor.books.uses).length, 1);
  assert.equal((await found())?.state, 'reported');
  assert.deepEqual(told, ['cardMeterReported']);
});

test('what the processor knows by its name already is reported', async (t) => {
  const { processor, run, found, uses } = await openMeter(t);
  await run();
  const other = createMeterReporter({ secretKey, apiUrl: new URL(processor.url) });
  const row = await found();
  assert.ok(row);
  // Another key: the processor knows the use by its identifier alone.
  assert.deepEqual(await other({ ...row, refusals: 7 }), { kind: 'reported' });
  assert.equal(Object.keys(processor.books.uses).length, 1);
  assert.equal(await uses.waiting('due'), 0);
});

test('what is refused is told again with another key, and counted once it is taken', async (t) => {
  const { processor, run, found } = await openMeter(t);
  processor.books.meters.delete('tool_calls');
  await assert.rejects(run(), /refuses the use .*: resource_missing/);
  const refused = await found();
  assert.deepEqual(
    [refused?.state, refused?.refusals, refused?.sent_at, refused?.fault],
    ['due', 1, 0, 'resource_missing'],
  );
  processor.books.meters.add('tool_calls');
  await run();
  assert.equal((await found())?.state, 'reported');
  assert.equal(Object.keys(processor.books.uses).length, 1);
});

test('a use that never arrived is told weeks later', async (t) => {
  const { processor, run, found, clock } = await openMeter(t);
  await processor.stop();
  await assert.rejects(run());
  assert.equal((await found())?.sent_at, 0, 'nothing has left');
  clock.now += 30 * day;
  await processor.listen();
  await run();
  assert.equal((await found())?.state, 'reported');
});

test('what may have been counted is told no more when it could count again', async (t) => {
  const { processor, run, found, clock, told, asked } = await openMeter(t);
  processor.happen(path, 'broken', 'broken', 'broken');
  await assert.rejects(run());
  const before = asked().length;
  clock.now += 23 * hour + 1;
  await run();
  assert.equal(asked().length, before);
  assert.equal((await found())?.state, 'unreported');
  assert.deepEqual(told, ['cardMeterFailed']);
});

test('a later try that did not arrive does not undo that an earlier one may have', async (t) => {
  const { processor, run, found, clock } = await openMeter(t);
  processor.happen(path, 'broken', 'broken', 'broken');
  await assert.rejects(run());
  await processor.stop();
  await assert.rejects(run());
  clock.now += 23 * hour + 1;
  await processor.listen();
  await run();
  assert.equal((await found())?.state, 'unreported');
});

test('what is older than the processor takes is told no more', async (t) => {
  const { run, found, clock, asked, uses } = await openMeter(t);
  clock.now += 34 * day + 1;
  await run();
  assert.equal(asked().length, 0);
  assert.equal((await found())?.state, 'unreported');
  assert.equal(await uses.waiting('unreported'), 1);
  clock.now += 6 * day;
  await uses.forget();
  assert.equal(await found(), undefined);
});
