import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import test, { type TestContext } from 'node:test';
import { type BackEndRules, OutboundError } from '#contract/house/outbound';
import { createBackEnds } from '../../../../runtime/outbound/back-ends/index.ts';

// OWASP, Server-Side Request Forgery Prevention: what an address may be written as, and lead to.

const strict: BackEndRules = {
  allow: [],
  ports: 'any',
  refusedPorts: [13133],
  refusedPlaces: [],
  isLocal: false,
  ownPort: () => undefined,
};
const names: Readonly<Record<string, readonly string[]>> = {
  'logs.internal': ['10.1.2.3'],
  'a.b.internal': ['10.1.2.3'],
  'loops.example.com': ['127.0.0.1'],
  'metadata.internal': ['169.254.169.254'],
  'mixed.example.com': ['93.184.216.34', '10.1.2.3'],
  'public.example.com': ['93.184.216.34'],
};

const resolve = ((host: string, _: object, done: (error: Error | null, found: unknown) => void) => {
  const found = names[host];
  if (found === undefined) return done(new Error('ENOTFOUND'), []);
  done(
    null,
    found.map((address) => ({ address, family: 4 })),
  );
}) as unknown as typeof lookup;

function way(t: TestContext, rules: Partial<BackEndRules> = {}, resolver = resolve) {
  const backEnds = createBackEnds({ ...strict, ...rules }, '1', resolver);
  t.after(() => backEnds.close());
  return backEnds;
}

const isRefused = (error: unknown) => error instanceof OutboundError && error.fault === 'refused';

test('no spelling of an address leads where nothing may lead', async (t) => {
  const everything = { allow: ['0.0.0.0/0', '::/0', '*'] };
  const backEnds = way(t, everything);
  for (const host of [
    ...['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518'],
    ...[
      '[::ffff:169.254.169.254]',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '169.254.169.254.',
    ],
    ...['[2002:a9fe:a9fe::]', '[::a9fe:a9fe]', '[fd00:ec2::254]', '[fe80::1]', '100.100.100.200'],
    ...['0.0.0.0', '0', '[::]', '224.0.0.1', '255.255.255.255', '[ff02::1]', '168.63.129.16'],
    'metadata.internal',
  ]) {
    await assert.rejects(backEnds.check(`http://${host}:3100/`), isRefused, host);
    await assert.rejects(backEnds.fetch(`http://${host}:3100/`, { maxBytes: 10 }), isRefused, host);
  }
});

test('this machine is reached only by who means it, however it is written', async (t) => {
  const local = ['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1', '[::1]'];
  const hosts = [...local, '[::ffff:127.0.0.1]', 'loops.example.com', '[64:ff9b::7f00:1]'];
  const wide = way(t, { allow: ['0.0.0.0/0', '*.example.com', '*'] });
  const meant = way(t, { allow: ['127.0.0.0/8', '::1'] });
  const own = way(t, { isLocal: true });
  for (const host of hosts) {
    await assert.rejects(wide.check(`http://${host}:3100`), isRefused, host);
    await meant.check(`http://${host}:3100`);
    await own.check(`http://${host}:3100`);
  }
});

test('where something listens that none may lead to, none leads, by any name', async (t) => {
  const what = 'the collector takes telemetry';
  const places = (...hosts: string[]) => hosts.map((host) => ({ host, port: 24318, what }));
  const own = { isLocal: true, allow: ['10.0.0.0/8'] };
  const refused = async (refusedPlaces: ReturnType<typeof places>, hosts: readonly string[]) => {
    const backEnds = way(t, { ...own, refusedPlaces });
    for (const host of hosts) {
      await assert.rejects(backEnds.check(`http://${host}:24318/`), /takes telemetry there/, host);
      // Another port is another server.
      await backEnds.check(`http://${host}:24319/`);
    }
  };
  const local = [
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:7f00:1]',
    'loops.example.com',
    '127.9.9.9',
  ];
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::'])
    await refused(places(host), local);
  await refused(places('10.1.2.3'), ['10.1.2.3', 'logs.internal', '[::ffff:10.1.2.3]']);
  await refused(places('logs.internal'), ['logs.internal', 'logs.internal.', 'LOGS.internal']);
  await way(t, { ...own, refusedPlaces: places('127.0.0.1') }).check('http://10.1.2.3:24318');
});

test('private addresses pass by network or by name, public ones by themselves', async (t) => {
  await way(t).check('https://public.example.com/');
  for (const url of ['http://10.1.2.3:3100', 'http://logs.internal:3100', 'https://[fd12::1]/']) {
    await assert.rejects(way(t).check(url), isRefused, url);
  }
  await way(t, { allow: ['10.0.0.0/8'] }).check('http://logs.internal:3100');
  await way(t, { allow: ['*.internal'] }).check('http://logs.internal:3100');
  await way(t, { allow: ['*.internal'] }).check('http://a.b.internal:3100');
  await way(t, { allow: ['LOGS.internal'] })
    .check('http://logs.internal.:3100')
    .catch(() => {});
  await assert.rejects(way(t, { allow: ['internal'] }).check('http://logs.internal'), isRefused);
  await assert.rejects(way(t, { allow: ['*.internal'] }).check('http://10.1.2.3/'), isRefused);
  // One address of several is enough to refuse a name.
  await assert.rejects(way(t).check('https://mixed.example.com'), isRefused);
});

test('a URL with anything besides host, port, path and query is refused', async (t) => {
  const backEnds = way(t, { ports: [443], allow: ['*'] });
  for (const [url, reason] of [
    ['logs', /no absolute URL/],
    ['file:///etc/passwd', /scheme/],
    ['gopher://public.example.com', /scheme/],
    ['https://user:secret@public.example.com', /user name or password/],
    ['https://public.example.com/#a', /fragment/],
    ['https://public.example.com:6379', /port 6379/],
    ['https://public.example.com:13133', /port 13133 is one of the collector/],
  ] as const) {
    await assert.rejects(backEnds.check(url), (error: Error) => {
      assert.match(error.message, reason);
      assert.doesNotMatch(error.message, /secret/);
      return isRefused(error);
    });
  }
  const isUnknown = { fault: 'unreachable' };
  await assert.rejects(backEnds.check('https://nowhere.example.com'), isUnknown);
});

test('the server itself is no back end', async (t) => {
  const backEnds = way(t, { isLocal: true, ownPort: () => 8080 });
  await assert.rejects(backEnds.check('http://127.0.0.1:8080'), isRefused);
  await backEnds.check('http://127.0.0.1:8081');
});

test('a name that leads elsewhere after it was checked is refused when it is connected to', async (t) => {
  let asked = 0;
  const rebinding = ((_: string, __: object, done: (error: null, found: unknown) => void) => {
    asked += 1;
    done(null, [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
  }) as unknown as typeof lookup;
  const backEnds = way(t, {}, rebinding);
  await backEnds.check('http://rebinding.example.com');
  const request = { maxBytes: 10 };
  await assert.rejects(backEnds.fetch('http://rebinding.example.com', request), isRefused);
  assert.equal(asked, 2);
});

test('a redirection is an answer, and proxies of the environment are not asked', async (t) => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end('secret body');
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  const former = process.env['http_proxy'];
  process.env['http_proxy'] = 'http://127.0.0.1:1';
  t.after(() => {
    if (former === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = former;
  });
  const backEnds = way(t, { isLocal: true });
  const answer = await backEnds.fetch(`http://127.0.0.1:${port}/ready`, { maxBytes: 100 });
  assert.equal(answer.status, 302);
  assert.deepEqual(paths, ['/ready']);
  const tooLarge = backEnds.fetch(`http://127.0.0.1:${port}/ready`, { maxBytes: 5 });
  await assert.rejects(tooLarge, { fault: 'too_large' });
});
