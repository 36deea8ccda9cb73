import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError } from '#contract/house/outbound';
import { answered, federationOf, now, type TestBackEnd } from './federation.ts';

const asked = { filter: { service: 'checkout' }, selection: { mode: 'all' } } as const;
const ns = BigInt(now) * 1_000_000n;

/** Lines of Loki, from `newest` nanoseconds before now backwards. */
function lines(...bodies: readonly (readonly [number, string])[]): string {
  const values = bodies.map(([ago, body]) => [(ns - BigInt(ago)).toString(), body]);
  const stream = { service_name: 'checkout' };
  const data = { resultType: 'streams', result: [{ stream, values }] };
  return JSON.stringify({ status: 'success', data });
}

function loki(id: string, ...bodies: readonly (readonly [number, string])[]): TestBackEnd {
  return { id, kind: 'loki', answers: () => answered(lines(...bodies)) };
}

const bodiesOf = (data: unknown) => (data as { body: string }[]).map(({ body }) => body);

test('lines are merged by nanosecond, and one that two back ends keep is given once', async () => {
  const { ask } = federationOf('log', [
    loki('a', [1, 'a1'], [3, 'both'], [5, 'a5']),
    loki('b', [2, 'b2'], [3, 'both'], [4, 'b4']),
  ]);
  const { data, dedup, complete, partial } = await ask(asked);
  assert.deepEqual(bodiesOf(data), ['a1', 'b2', 'both', 'b4', 'a5']);
  assert.deepEqual(dedup, { applied: true, dropped: 1 });
  assert.deepEqual([complete, partial], [['a', 'b'], false]);
});

test('a back end that keeps a line twice keeps both, and another one that does adds none', async () => {
  const { ask } = federationOf('log', [
    loki('a', [3, 'same'], [3, 'same']),
    loki('b', [3, 'same'], [3, 'same'], [3, 'other']),
  ]);
  const { data } = await ask(asked);
  assert.deepEqual(bodiesOf(data), ['same', 'same', 'other']);
});

test('a page ends where a back end that has more ends: what follows is asked for again', async () => {
  const { ask, requests } = federationOf('log', [
    loki('a', [1, 'a1'], [2, 'a2']),
    loki('b', [3, 'b3'], [4, 'b4']),
  ]);
  const first = await ask({ ...asked, limit: 2 });
  assert.deepEqual(bodiesOf(first.data), ['a1', 'a2']);
  assert.ok(first.nextCursor);
  await ask({ ...asked, limit: 2, cursor: first.nextCursor });
  // The end is exclusive: the time of the last line is asked for again, and what was given is left out.
  const { searchParams } = new URL(requests[2]?.path ?? '', 'http://a');
  assert.equal(searchParams.get('end'), (ns - 2n + 1n).toString());
  assert.equal(searchParams.get('limit'), '3');
});

test('a cursor of another query, and one that is none, are refused', async () => {
  const { ask } = federationOf('log', [loki('a', [1, 'a1'], [2, 'a2'])]);
  const { nextCursor } = await ask({ ...asked, limit: 1 });
  const cursor = nextCursor ?? '';
  const refused = { code: 'invalid_request', status: 400 };
  await assert.rejects(ask({ ...asked, filter: { service: 'cart' }, limit: 1, cursor }), refused);
  for (const other of ['x', `${cursor}x`, `${cursor}=`, `${cursor}.`, ` ${cursor}`]) {
    await assert.rejects(ask({ ...asked, limit: 1, cursor: other }), refused);
  }
  await ask({ ...asked, limit: 1, cursor });
  await assert.rejects(
    ask({ ...asked, limit: 1, cursor: Buffer.from('{"q":1}').toString('base64url') }),
    refused,
  );
});

test('all lines of a back end are reached through pages of any size, each once', async () => {
  const all = Array.from(
    { length: 23 },
    (_, index) => [Math.floor(index / 3), `${index}`] as const,
  );
  const answers: TestBackEnd['answers'] = ({ path }) => {
    const { searchParams } = new URL(path, 'http://a');
    const end = BigInt(searchParams.get('end') ?? 0);
    const found = all.filter(([ago]) => ns - BigInt(ago) < end);
    return answered(lines(...found.slice(0, Number(searchParams.get('limit')))));
  };
  const { ask } = federationOf('log', [{ id: 'a', kind: 'loki', answers }]);
  const timeRange = { startMs: now - 1000, endMs: now + 1 };
  for (const limit of [1, 2, 4, 7, 50]) {
    const given: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await ask({ ...asked, timeRange, limit, ...(cursor !== null && { cursor }) });
      given.push(...bodiesOf(page.data));
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(given.toSorted(), all.map(([, body]) => body).toSorted(), `pages of ${limit}`);
  }
});

test('series stand side by side; with first_primary, equal ones come from the primary alone', async () => {
  const answer = (value: string) => {
    const result = [{ metric: { job: 'checkout' }, values: [[now / 1000, value]] }];
    return answered(JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }));
  };
  const { ask } = federationOf('metric', [
    { id: 'a', kind: 'prometheus', answers: () => answer('1') },
    { id: 'b', kind: 'mimir', primary: true, answers: () => answer('2') },
  ]);
  const query = { promql: 'up', selection: { mode: 'all' } } as const;
  const both = await ask(query);
  assert.deepEqual(
    (both.data as { metric: object }[]).map(({ metric }) => metric),
    [
      { job: 'checkout', provider_id: 'b' },
      { job: 'checkout', provider_id: 'a' },
    ],
  );
  const one = await ask({ ...query, dedup: 'first_primary' });
  assert.deepEqual(
    (one.data as { values: unknown }[]).map(({ values }) => values),
    [[[now / 1000, '2']]],
  );
  assert.equal(one.dedup.dropped, 1);
});

test('profiles of one type are added up, stack by stack', async () => {
  const names = ['total', 'main', 'work'];
  const levels = [
    { values: ['0', '10', '0', '0'] },
    { values: ['0', '10', '4', '1'] },
    { values: ['0', '6', '6', '2'] },
  ];
  const body = JSON.stringify({ flamegraph: { names, levels, total: '10', maxSelf: '6' } });
  const backEnd = (id: string) => ({ id, kind: 'pyroscope', answers: () => answered(body) });
  const { ask } = federationOf('profile', [backEnd('a'), backEnd('b')]);
  const { data } = await ask({ query: 'process_cpu:cpu{}', selection: { mode: 'all' } });
  const profile = data as {
    total: number;
    names: string[];
    nodes: { self: number; total: number }[];
  };
  assert.deepEqual([profile.total, profile.names], [20, names]);
  assert.deepEqual(
    profile.nodes.map(({ self, total }) => [self, total]),
    [
      [0, 20],
      [8, 20],
      [12, 12],
    ],
  );
});

test('the primary one is asked alone; where it is away, the next one, and the answer says so', async () => {
  const away = () => Promise.reject(new OutboundError('unreachable', 'connect ECONNREFUSED'));
  const { ask, requests } = federationOf('log', [
    loki('a', [1, 'a1']),
    { id: 'b', kind: 'loki', primary: true, answers: away },
    loki('c', [1, 'c1']),
  ]);
  const result = await ask({ filter: { service: 'checkout' } });
  assert.deepEqual(
    requests.map(({ provider }) => provider),
    ['b', 'a'],
  );
  assert.deepEqual([bodiesOf(result.data), result.partial], [['a1'], true]);
  assert.deepEqual(result.warnings, ['b: it cannot be reached']);
});

test('one back end must be named, known, enabled and open to queries', async () => {
  const { ask } = federationOf('log', [
    loki('a', [1, 'a1']),
    { ...loki('b', [1, 'b1']), enabled: false },
    { ...loki('c', [1, 'c1']), query: false },
  ]);
  const filter = { service: 'checkout' };
  await assert.rejects(ask({ filter, selection: { mode: 'one' } }), { code: 'invalid_request' });
  for (const providerId of ['b', 'c', 'd']) {
    await assert.rejects(ask({ filter, selection: { mode: 'one', providerId } }), {
      ...{ code: 'not_found', status: 404 },
    });
  }
  const { data } = await ask({ filter, selection: { mode: 'one', providerId: 'a' } });
  assert.deepEqual(bodiesOf(data), ['a1']);
});

test('each raw read is written down for the back end that gave rows; counts are none', async () => {
  const { ask, accesses } = federationOf('log', [loki('a', [1, 'a1'], [2, 'a2']), loki('b')]);
  await ask({ ...asked, format: 'summary' });
  assert.equal(accesses.length, 0);
  await ask({ ...asked, format: 'csv' });
  const [access, ...others] = accesses;
  assert.deepEqual(others, []);
  assert.deepEqual([access?.providerId, access?.rows], ['a', 2]);
  assert.match(access?.querySha256 ?? '', /^[0-9a-f]{64}$/);
  assert.doesNotMatch(JSON.stringify(access), /checkout/);
});

test('nothing is given where the access cannot be written down', async () => {
  const { ask, parts } = federationOf('log', [loki('a', [1, 'a1'])]);
  const failing = { ...parts, rawAccess: () => Promise.reject(new Error('the log is full')) };
  Object.assign(parts, failing);
  await assert.rejects(ask(asked), /the log is full/);
});

test('an answer has no more bytes than it may, and its pages go on where it ends', async () => {
  const bodies = Array.from(
    { length: 50 },
    (_, index) => [index, `${index} ${'x'.repeat(100)}`] as const,
  );
  const { ask } = federationOf('log', [loki('a', ...bodies)]);
  for (const format of ['json', 'csv'] as const) {
    const page = await ask({ ...asked, format, maxBytes: 2000 });
    assert.ok(JSON.stringify(page.data ?? page.csv).length <= 2000);
    assert.ok(page.rows > 3 && page.rows < 50, `${page.rows} rows of ${format}`);
    assert.ok(page.nextCursor);
  }
  const huge = federationOf('log', [loki('a', [1, 'y'.repeat(100_000)])]);
  const shortened = await huge.ask({ ...asked, maxBytes: 1024 });
  assert.ok(JSON.stringify(shortened.data).length <= 1024);
  assert.match(String(shortened.warnings), /a part of it is given/);
});

test('lines of others lose what a reader does not see and a terminal obeys', async () => {
  const { ask } = federationOf('log', [
    loki('a', [1, '\u001b[31mred\u001b[0m \u202ereversed\u0007 a\tb']),
  ]);
  const { data } = await ask(asked);
  assert.deepEqual(bodiesOf(data), ['red reversed a\tb']);
});
