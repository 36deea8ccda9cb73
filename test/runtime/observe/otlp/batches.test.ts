import assert from 'node:assert/strict';
import test from 'node:test';
import { Batches, type Fate } from '../../../../runtime/observe/otlp/batches.ts';
import { createLosses } from '../../../../runtime/observe/otlp/losses.ts';

const options = { mostWaiting: 5, size: 3, gatherMs: 3_600_000 };

/** An exporter that answers when the test says so. */
function held() {
  const batches: { readonly items: string[]; done: (code: number) => void }[] = [];
  let isDown = false;
  return {
    batches,
    isDown: () => isDown,
    exporter: {
      export(items: string[], done: (result: { code: number; error?: Error }) => void) {
        batches.push({
          items,
          done: (code) => done({ code, error: new Error('nobody is there') }),
        });
      },
      async shutdown() {
        isDown = true;
      },
    },
  };
}

const told: string[] = [];
const fate: Fate = {
  sent: () => void told.push('sent'),
  lost: (count, why) => void told.push(`${count} ${why}`),
};

test('items are sent together, one batch after the other, and made into what is sent only then', async () => {
  told.length = 0;
  const { batches, exporter, isDown } = held();
  const made: number[] = [];
  const all = new Batches(
    exporter,
    (item: number) => {
      made.push(item);
      return `item ${item}`;
    },
    fate,
    options,
  );
  for (const item of [1, 2]) all.add(item);
  assert.deepEqual([made, batches.length], [[], 0]);
  for (const item of [3, 4, 5, 6]) all.add(item);
  assert.deepEqual(made, [1, 2, 3]);
  const closed = all.close();
  batches[0]?.done(0);
  while (batches.length < 2) await Promise.resolve();
  batches[1]?.done(0);
  await closed;
  assert.deepEqual(
    batches.map(({ items }) => items),
    [
      ['item 1', 'item 2', 'item 3'],
      ['item 4', 'item 5', 'item 6'],
    ],
  );
  assert.equal(isDown(), true);
  all.add(7);
  assert.deepEqual(told, ['sent', 'sent', '1 full']);
});

test('what finds no room, or is not taken, is lost and counted', async () => {
  told.length = 0;
  const { batches, exporter } = held();
  const all = new Batches(exporter, String, fate, options);
  // Three are on their way, five wait, and for two there is no room.
  for (let item = 1; item <= 10; item += 1) all.add(item);
  assert.deepEqual(told, ['1 full', '1 full']);
  const closed = all.close();
  for (let place = 0; place < 3; place += 1) {
    while (batches.length <= place) await Promise.resolve();
    batches[place]?.done(place === 1 ? 1 : 0);
  }
  await closed;
  assert.deepEqual(told.slice(2), ['sent', '3 failed', 'sent']);
});

test('losses are counted each, and told once when they begin and once when they end', () => {
  const lines: unknown[] = [];
  const counts: unknown[] = [];
  const log = {
    warn: (about: object) => void lines.push(['warn', about]),
    info: (about: object) => void lines.push(['info', about]),
  };
  const metrics = {
    counters: () => (labels: object, by: number) => void counts.push([labels, by]),
  };
  const fateOf = createLosses(metrics as never, log as never);
  const traces = fateOf('traces');
  traces.sent();
  traces.lost(512, 'failed', new Error('nobody is there'));
  traces.lost(1, 'full');
  traces.sent();
  traces.sent();
  assert.deepEqual(counts, [
    [{ signal: 'traces', reason: 'failed' }, 512],
    [{ signal: 'traces', reason: 'full' }, 1],
  ]);
  assert.deepEqual(lines, [
    ['warn', { signal: 'traces', why: 'failed', reason: 'nobody is there' }],
    ['info', { signal: 'traces' }],
  ]);
});
