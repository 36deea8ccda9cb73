import assert from 'node:assert/strict';
import test from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { hosted } from './hosted.ts';
import { runCli } from './run-cli.ts';

const osv = { SERVICE_PROVIDER: 'osv' };

test('--version prints the version', async () => {
  const { code, stdout } = await runCli(['--version']);
  assert.equal(code, 0);
  assert.equal(stdout, `${manifest.version}\n`);
});

for (const args of [['--help'], ['-h'], ['call', '--help'], []]) {
  test(`"${args.join(' ')}" prints every command`, async () => {
    const { code, stdout } = await runCli(args);
    assert.equal(code, 0);
    for (const command of ['serve', 'call', 'tools', 'doctor']) {
      assert.match(stdout, new RegExp(`agent-tool-server ${command}\\b`));
    }
  });
}

const misuses: readonly [args: string[], message: RegExp][] = [
  [['frob'], /there is no command "frob"/],
  [['constructor'], /there is no command "constructor"/],
  [['--frob'], /--frob/],
  [['call'], /call takes the name of a tool/],
  [['call', 'osv_get', '{'], /the arguments must be one JSON object/],
  [['call', 'osv_get', '[]'], /the arguments must be one JSON object/],
  [['call', 'osv_gte', '{}'], /there is no tool "osv_gte"; did you mean osv_get\?/],
];
for (const [args, message] of misuses) {
  test(`"${args.join(' ')}" is misuse and exits with 2`, async () => {
    const { code, stdout, stderr } = await hosted(args, osv);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  });
}

test('tools and call take the tenant for which they are asked', async () => {
  const env = {
    ...{ SERVICE_PROVIDER: 'osv,wikipedia', SERVICE_BASE_URL: 'http://127.0.0.1:3000' },
    SERVICE_TENANTS: JSON.stringify([{ id: 'acme', providers: ['osv'] }]),
  };
  const all = await hosted(['tools'], env);
  assert.match(all.stdout, /^wikipedia_/m);
  const own = await hosted(['tools', '--tenant', 'acme'], env);
  assert.match(own.stdout, /^osv_get$/m);
  assert.doesNotMatch(own.stdout, /^wikipedia_/m);
  const found = await hosted(['tools', 'article', 'search', '--tenant', 'acme'], env);
  assert.doesNotMatch(found.stdout, /^wikipedia_/m);
  const args = ['call', 'wikipedia_search', '{"query":"x"}', '--tenant', 'acme'];
  for (const [words, message] of [
    [args, /there is no tool "wikipedia_search"/],
    [['tools', '--tenant', 'nobody'], /there is no tenant "nobody"; there are default, acme/],
    [['call', 'osv_get', '--tenant', 'nobody'], /there is no tenant "nobody"/],
  ] as const) {
    const { code, stderr } = await hosted([...words], env);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
});

test('call runs a tool and prints its result as JSON', async () => {
  const { code, stdout, stderr } = await runCli(['call', 'service_status'], osv);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const { providers, version } = JSON.parse(stdout);
  assert.equal(version, manifest.version);
  const [provider] = providers;
  assert.deepEqual(provider, {
    id: 'osv',
    title: 'OSV vulnerabilities',
    tools: 3,
    credential: 'not_needed',
  });
});

test('call prints the error of a tool and exits with 1', async () => {
  const { code, stdout } = await runCli(['call', 'osv_get', '{}'], osv);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).error.code, 'invalid_arguments');
  assert.equal(JSON.parse(stdout).error.retryable, false);
});

test('tools lists every tool with what it is for', async () => {
  const { code, stdout } = await hosted(['tools'], osv);
  assert.equal(code, 0);
  for (const name of ['service_status', 'osv_get', 'osv_query']) {
    assert.match(stdout, new RegExp(`^${name}$`, 'm'));
  }
});

test('tools with words finds the tools that have to do with them, the best one first', async () => {
  const env = { SERVICE_PROVIDER: 'all-providers' };
  const { code, stdout } = await hosted(['tools', 'pull', 'request'], env);
  assert.equal(code, 0);
  assert.match(stdout, /^github_/);
  assert.doesNotMatch(stdout, /^arxiv_/m);
  const nothing = await hosted(['tools', 'zzzzzz'], env);
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /no tool/);
});
