import assert from 'node:assert/strict';
import test from 'node:test';
import type { Anchor } from '../../../../runtime/audit/anchors/anchor.ts';
import { Anchoring } from '../../../../runtime/audit/engine/anchoring.ts';

const log = {
  origin: 'tools.example.com/audit',
  tile: async () => undefined,
  entriesBundle: async () => undefined,
  consistency: async () => undefined,
  keys: [],
  proof: async () => undefined,
};

function checkpoint(size: number) {
  return { size, root: '', note: `${size}` };
}

/** An anchor that takes what `accept` lets it, and knows when it has taken how much. */
function testAnchor(
  everyMs: number,
  accept: (size: number, signal: AbortSignal) => Promise<void> = async () => {},
) {
  const taken: number[] = [];
  const waiting = new Map<number, () => void>();
  const anchor: Anchor = {
    target: 'test',
    everyMs,
    newest: async () => undefined,
    async put({ size }, _, signal) {
      await accept(size, signal);
      taken.push(size);
      waiting.get(size)?.();
      return String(size);
    },
  };
  const has = (size: number) => new Promise<void>((resolve) => waiting.set(size, resolve));
  return { anchor, taken, has };
}

function anchoringWith(anchor: Anchor) {
  const failures: string[] = [];
  const listener = {
    anchored() {},
    failed: (_: string, error: unknown) => failures.push((error as Error).message),
    forked: (reason: string) => failures.push(reason),
  };
  return { anchoring: new Anchoring(log, [anchor], listener), failures };
}

test('a checkpoint that came too early goes out when it is time, and older ones do not', async () => {
  const { anchor, taken, has } = testAnchor(20);
  const { anchoring } = anchoringWith(anchor);
  const last = has(4);
  for (const size of [1, 2, 3, 4]) anchoring.offer(checkpoint(size));
  // Only the anchor's own timer is left to bring the last one, and it keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await last;
  clearInterval(alive);
  assert.deepEqual(taken, [1, 4]);
});

test('within its pace an anchor gets nothing, except for what is worth it', async () => {
  const { anchor, taken, has } = testAnchor(3_600_000);
  const { anchoring } = anchoringWith(anchor);
  const first = has(1);
  anchoring.offer(checkpoint(1));
  await first;
  anchoring.offer(checkpoint(2));
  assert.deepEqual(taken, [1]);
  await anchoring.all(checkpoint(3));
  assert.deepEqual(taken, [1, 3]);
  await anchoring.finish(checkpoint(3));
  assert.deepEqual(taken, [1, 3]);
});

test('a failed anchor is tried again without new entries', async () => {
  let tries = 0;
  const { anchor, taken, has } = testAnchor(3_600_000, async () => {
    if (++tries === 1) throw new Error('out of reach');
  });
  const { anchoring, failures } = anchoringWith(anchor);
  const arrived = has(1);
  anchoring.offer(checkpoint(1));
  const alive = setInterval(() => {}, 1000);
  await arrived;
  clearInterval(alive);
  assert.deepEqual({ taken, failures }, { taken: [1], failures: ['out of reach'] });
});

test('at the end, an upload that takes too long is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { anchor, taken } = testAnchor(0, (_, signal) => {
    const { promise, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  });
  const { anchoring, failures } = anchoringWith({ ...anchor, deadlineMs: 3_600_000 });
  const finished = anchoring.finish(checkpoint(1));
  t.mock.timers.tick(10_000);
  await finished;
  assert.deepEqual(taken, []);
  assert.deepEqual(failures, ['the log was closed before everything was there']);
  anchoring.offer(checkpoint(2));
  assert.deepEqual(taken, []);
});

test('an anchor says itself how long it may take', async () => {
  const { anchor } = testAnchor(0, (_, signal) => {
    const { promise, reject } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  });
  const { anchoring, failures } = anchoringWith({ ...anchor, deadlineMs: 1 });
  const alive = setInterval(() => {}, 1000);
  await anchoring.all(checkpoint(1));
  clearInterval(alive);
  assert.match(failures.join(), /not answered in time/);
  await anchoring.finish(undefined);
});
