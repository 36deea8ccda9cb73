import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { hosted } from './hosted.ts';
import { runCli } from './run-cli.ts';

/** A vendor that answers everything with one status. */
async function vendor(t: TestContext, status: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"hm"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const base = { PORT: '0', SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8' };

test('doctor finds nothing where everything works', async (t) => {
  const url = await vendor(t, 200);
  const env = { ...base, SERVICE_PROVIDER: 'osv', SERVICE_PROVIDER_OSV_URL: url };
  const { code, stdout, stderr } = await runCli(['doctor'], env);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, /^ok +configuration: 7 tools, 1 provider$/m);
  assert.match(stdout, /^ok +port 0 on 127\.0\.0\.1 is free$/m);
  assert.match(stdout, /^ok +OSV vulnerabilities: reachable$/m);
  assert.match(stdout, /^no problems found$/m);
});

test('doctor names the variable of a credential that is missing', async () => {
  const { code, stdout } = await hosted(['doctor'], { ...base, SERVICE_PROVIDER: 'slack' });
  assert.equal(code, 1);
  assert.match(stdout, /^problem +Slack: it needs a credential\n +-> set SERVICE_SLACK_TOKEN or /m);
  assert.match(stdout, /^1 problem found$/m);
});

test('doctor says that a credential is not accepted, and does not print it', async (t) => {
  const env = {
    ...base,
    SERVICE_PROVIDER: 'github',
    SERVICE_PROVIDER_GITHUB_URL: await vendor(t, 401),
    SERVICE_GITHUB_TOKEN: 'hunter2',
  };
  const { code, stdout, stderr } = await hosted(['doctor'], env);
  assert.equal(code, 1);
  assert.match(stdout, /-> check the value of SERVICE_GITHUB_TOKEN or GITHUB_TOKEN/);
  assert.doesNotMatch(stdout + stderr, /hunter2/);
});

test('doctor says that a vendor cannot be reached', async () => {
  const url = 'http://127.0.0.1:1';
  const env = { ...base, SERVICE_PROVIDER: 'osv', SERVICE_PROVIDER_OSV_URL: url };
  const { code, stdout } = await hosted(['doctor'], env);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^problem +OSV vulnerabilities could not be reached: the connection was ref/m,
  );
  assert.match(stdout, /-> check the network of this machine, and SERVICE_PROVIDER_OSV_URL/);
});

test('doctor says once what is wrong with several vendors, and what is well on its own', async (t) => {
  const gone = 'http://127.0.0.1:1';
  const { code, stdout } = await hosted(['doctor'], {
    ...base,
    SERVICE_PROVIDER: 'osv,hackernews,crossref,endoflife,slack',
    SERVICE_PROVIDER_OSV_URL: gone,
    SERVICE_PROVIDER_HACKERNEWS_URL: gone,
    SERVICE_PROVIDER_CROSSREF_URL: await vendor(t, 200),
    SERVICE_PROVIDER_ENDOFLIFE_URL: await vendor(t, 404),
  });
  assert.equal(code, 1);
  assert.match(stdout, /^ok +Crossref: reachable$/m);
  const problems = [...stdout.matchAll(/^problem +(.*)\n +-> (.*)$/gm)].map(
    ([, ...lines]) => lines,
  );
  assert.deepEqual(problems[1], [
    'Hacker News, OSV vulnerabilities could not be reached: the connection was refused',
    'check the network of this machine, and SERVICE_PROVIDER_<ID>_URL if it is set',
  ]);
  assert.deepEqual(
    problems.map(([text = '']) => text.split(/[: ]/)[0]),
    ['endoflife.date', 'Hacker', 'Slack'],
  );
  assert.match(stdout, /^3 problems found$/m);
});

test('doctor advises to name a contact where a vendor asks for one', async (t) => {
  const url = await vendor(t, 200);
  const env = { ...base, SERVICE_PROVIDER: 'wikipedia', SERVICE_PROVIDER_WIKIPEDIA_URL: url };
  const { stdout } = await hosted(['doctor'], env);
  assert.match(stdout, /^advice +Wikipedia.*half the pace\n +-> set SERVICE_CONTACT/m);
  const named = await hosted(['doctor'], { ...env, SERVICE_CONTACT: 'me@example.com' });
  assert.doesNotMatch(named.stdout, /SERVICE_CONTACT/);
});

test('doctor says what is wrong with the configuration, all of it', async () => {
  const { code, stdout } = await hosted(['doctor'], { PORT: 'x', SERVICE_LOG_LEVEL: 'loud' });
  assert.equal(code, 1);
  assert.match(stdout, /^problem +PORT is "x"\n +-> set it to a whole number/m);
  assert.match(stdout, /^problem +SERVICE_LOG_LEVEL is "loud"/m);
  assert.match(stdout, /^2 problems found$/m);
});

test('doctor says that a data directory takes no writes, with which no server would start', async (t) => {
  const dataDir = temporaryDirectory(t);
  chmodSync(dataDir, 0o500);
  // Root may write everywhere.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  if (uid !== undefined) chownSync(dataDir, uid, uid);
  const env = { ...base, SERVICE_PROVIDER: 'slack', SERVICE_DATA_DIR: dataDir };
  const { code, stdout } = await runCli(['doctor'], env, uid);
  assert.equal(code, 1, stdout);
  assert.match(
    stdout,
    /^problem +SERVICE_DATA_DIR is ".*" \(EACCES\)\n +-> set it to a folder that/m,
  );
});

test('doctor names the variables that mean nothing', async (t) => {
  const url = await vendor(t, 200);
  const env = { ...base, SERVICE_PROVIDER: 'osv', SERVICE_PROVIDER_OSV_URL: url };
  const { code, stdout } = await hosted(['doctor'], { ...env, SERVICE_PROVIDERS: 'osv' });
  assert.equal(code, 0);
  assert.match(stdout, /^advice +SERVICE_PROVIDERS is not known; did you mean SERVICE_PROVIDER\?/m);
});

test('doctor says that the bucket for the audit log cannot be used, and why', async (t) => {
  const env = {
    ...base,
    SERVICE_PROVIDER: 'osv',
    SERVICE_PROVIDER_OSV_URL: await vendor(t, 200),
    SERVICE_AUDIT_S3_ENDPOINT: await vendor(t, 403),
    SERVICE_AUDIT_S3_BUCKET: 'audit-copy',
    SERVICE_AUDIT_S3_ACCESS_KEY_ID: 'id',
    SERVICE_AUDIT_S3_SECRET_ACCESS_KEY: 'hunter2',
  };
  const { code, stdout, stderr } = await hosted(['doctor'], env);
  assert.equal(code, 1);
  assert.match(stdout, /^ok +audit log: file:\S+ answers$/m);
  assert.match(
    stdout,
    /^problem +audit log: s3:\S+\/audit-copy does not answer: S3 answered 403 to GET \/audit-copy$/m,
  );
  assert.match(stdout, /^1 problem found$/m);
  assert.doesNotMatch(stdout + stderr, /hunter2/);
});
