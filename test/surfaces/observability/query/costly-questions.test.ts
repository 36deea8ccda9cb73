import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, federationOf, now } from './federation.ts';

const nothing = '{"status":"success","data":{"resultType":"streams","result":[]}}';
const asked = { filter: { service: 'checkout' } } as const;
const gib = 1024 ** 3;

/** A Loki that says what each question would read. */
function loki(reads: (path: URL) => object) {
  return federationOf('log', [{ id: 'a', kind: 'loki', reads, answers: () => answered(nothing) }]);
}

for (const from of ['now-30s', 'now-1h', 'now-6h']) {
  test(`a query from ${from} on that would read too much is not run`, async () => {
    const { ask, requests, estimates } = loki(() => ({ bytes: 200 * gib, entries: 5 }));
    const all = { logql: '{service_name=~".+"}', timeRange: { from } };
    await assert.rejects(ask(all), {
      code: 'payload_too_large',
      message: /would read 200 GiB, and 100 GiB are permitted/,
    });
    assert.deepEqual([requests.length, estimates.length], [0, 1]);
  });
}

test('what a query would read may come as a text, and counts all the same', async () => {
  const would = [
    [{ bytes: String(200 * gib), entries: '5' }, 'would read 200 GiB'],
    [{ bytes: 1, entries: '1e12' }, 'would read 1000000000000 lines'],
  ] as const;
  for (const [cost, message] of would) {
    await assert.rejects(loki(() => cost).ask(asked), {
      code: 'payload_too_large',
      message: new RegExp(message),
    });
  }
});

test('each selector of a query counts, and none in a text or a comment', async () => {
  const { ask, estimates } = loki(() => ({ bytes: 60 * gib }));
  const logql = `# {note="x"}
    sum(count_over_time({app="a"} |= "{app=\\"no\\"}" [1m])) / sum(count_over_time({app=\`b\`}[1m]))`;
  await assert.rejects(ask({ logql }), { message: /would read 120 GiB/ });
  assert.deepEqual(
    estimates.map((path) => path.searchParams.get('query')),
    ['{app="a"}', '{app=`b`}'],
  );
});

test('a window and an offset are read besides the time that is asked for', async () => {
  const { ask, estimates } = loki(() => ({ bytes: 1 }));
  const minute = { startMs: now - 60_000, endMs: now };
  const back = { '[30d]': 30 * 24 * 3_600_000, '[1h30m] offset 1d': 91_800_000 };
  for (const [window, ms] of Object.entries(back)) {
    await ask({ logql: `count_over_time({app="a"}${window})`, timeRange: minute });
    const { searchParams } = estimates.at(-1) ?? assert.fail();
    assert.equal(searchParams.get('start'), `${now - 60_000 - ms}000000`);
    assert.equal(searchParams.get('end'), `${now}000000`);
  }
});

test('a query of more selectors than are asked for is not run', async () => {
  const { ask, requests } = loki(() => ({ bytes: 1 }));
  const names = Array.from({ length: 17 }, (_, index) => `rate({app="${index}"}[1m])`);
  await assert.rejects(ask({ logql: names.join(' + ') }), {
    code: 'payload_too_large',
    message: /has 17 selectors of streams, and 16 are permitted/,
  });
  assert.equal(requests.length, 0);
});

test('one that cannot say what it would read is asked', async () => {
  const { ask, requests } = federationOf('log', [
    { id: 'a', kind: 'loki', answers: () => answered(nothing) },
  ]);
  await ask(asked);
  assert.equal(requests.length, 1);
});
