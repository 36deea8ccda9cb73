import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'node:test';
import { Signer } from '../../../runtime/audit/keys/signing-key.ts';
import { listenError } from '../../../runtime/commands/serve.ts';
import { StartError } from '../../../runtime/process/start-error.ts';
import { legacy, type RpcAnswer } from '../mcp/rpc.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { hosted } from './hosted.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';
import { slowVendor } from './slow-vendor.ts';

const { vkey } = new Signer('tools.example.com/audit', Buffer.alloc(32, 7));
const watching = { SERVICE_PROVIDER: 'osv', SERVICE_AUDIT_WITNESS_LOGS: vkey };

function toolsOf({ result = {} }: RpcAnswer['body']): { name: string }[] {
  return result['tools'] as { name: string }[];
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

const call = { method: 'tools/call', params: { name: 'osv_get', arguments: { id: 'X-1' } } };

test('the server says what runs and what to do next', async (t) => {
  const { greeting, url } = await serve(t, { SERVICE_PROVIDER: 'osv,worldbank' });
  assert.match(greeting, /\d+ tools/);
  assert.match(greeting, /osv +3 +OSV vulnerabilities/);
  assert.match(greeting, /worldbank +\d+ +World Bank/);
  assert.doesNotMatch(greeting, /arxiv/);
  const lines = greeting.split('\n').map((line) => line.trim());
  assert.ok(lines.includes(`claude mcp add --transport http agent-tools ${url}`));
  const client = lines.find((line) => line.startsWith('{"mcpServers"'));
  assert.equal(JSON.parse(client ?? '').mcpServers['agent-tools'].url, url.href);
  const curl = lines.find((line) => line.startsWith('curl')) ?? '';
  const [, target = '', type, body] = /^curl -s (\S+) -H '([^']+)' -d '([^']+)'$/.exec(curl) ?? [];
  assert.equal(type, 'Content-Type: application/json');
  const answer = await legacy(new URL(target), JSON.parse(body ?? ''));
  assert.ok(toolsOf(answer.body).length > 3);
});

test('a call that runs when the server is told to stop is finished', async (t) => {
  const vendor = await slowVendor(t);
  const { child, url, log } = await serve(t, vendor.env);
  const answer = legacy(url, call);
  await vendor.asked;
  child.kill('SIGTERM');
  const exit = exitCode(child);
  while (!log().includes('stopping')) await once(child.stderr as NodeJS.ReadableStream, 'data');
  await assert.rejects(legacy(url, { method: 'ping' }), 'a new connection was taken');
  vendor.answer();
  const { body } = await answer;
  assert.deepEqual(body.result?.['structuredContent'], { id: 'X-1' });
  assert.equal(await exit, 0);
});

test('an unknown provider stops the start with the valid ones', async () => {
  const { code, stderr } = await hosted(['serve'], { SERVICE_PROVIDER: 'osv,gihtub', PORT: '0' });
  assert.equal(code, 78);
  assert.match(stderr, /SERVICE_PROVIDER: expected any of .*github.*, but "gihtub" was given/);
  assert.doesNotMatch(stderr, /\n +at /);
});

test('a list without a provider stops the start', async () => {
  const { code, stderr } = await hosted(['serve'], { SERVICE_PROVIDER: ',', PORT: '0' });
  assert.equal(code, 78);
  assert.match(stderr, /SERVICE_PROVIDER: expected one or more names, .*, but "," was given/);
});

for (const origin of ['../../etc', 'tools.example.com/../etc', '.', 'a/.hidden']) {
  test(`an origin that reads like the path ${origin} stops the start`, async () => {
    const { code, stderr } = await hosted(['serve'], { SERVICE_AUDIT_ORIGIN: origin, PORT: '0' });
    assert.equal(code, 78);
    assert.match(stderr, /SERVICE_AUDIT_ORIGIN: expected a name such as tools.example.com\/audit/);
  });
}

test('a wrong value stops the start and says what is allowed', async () => {
  const { code, stderr } = await hosted(['serve'], { PORT: 'x', SERVICE_LOG_LEVEL: 'loud' });
  assert.equal(code, 78);
  assert.match(stderr, /PORT: expected a whole number from 0 to 65535, but "x" was given/);
  assert.match(stderr, /SERVICE_LOG_LEVEL: expected one of fatal, error/);
});

for (const variable of [
  'SERVICE_AUDIT_KEY',
  'SERVICE_AUDIT_PREVIOUS_KEY',
  'SERVICE_AUDIT_WITNESS_KEY',
]) {
  test(`a text that is no key stops the start by the name ${variable}`, async () => {
    const env = { ...watching, [variable]: 'geheim', PORT: '0' };
    const { code, stdout, stderr } = await hosted(['serve'], env);
    assert.equal(code, 78);
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`${variable}: expected 32 bytes in base64`));
    assert.doesNotMatch(stderr, /geheim|\n +at /);
  });
}

test('whoever calls is the operator on no address that others can reach', async () => {
  const env = { HOST: '192.0.2.7', PORT: '0', SERVICE_AUTH: 'local' };
  const { code, stderr } = await hosted(['serve'], env);
  assert.equal(code, 78);
  assert.match(stderr, /SERVICE_AUTH: expected required, because HOST or SERVICE_BASE_URL is no/);
});

for (const host of ['127.999.999.999', '0:0:1', '127.1']) {
  test(`the address ${host} stops the start`, async () => {
    const { code, stderr } = await hosted(['serve'], { HOST: host, PORT: '0' });
    assert.equal(code, 78);
    assert.match(stderr, /HOST: expected a host name or an IP address/);
    assert.doesNotMatch(stderr, /\n +at /);
  });
}

test('whatever the system has against an address is told without a stack trace', () => {
  const refused = Object.assign(new Error('listen EADDRNOTAVAIL'), { syscall: 'listen' });
  const told = listenError(refused, '127.0.0.1', 80);
  assert.ok(told instanceof StartError);
  assert.equal(told.message, 'port 80 on 127.0.0.1 cannot be listened on: listen EADDRNOTAVAIL');
  const fault = new TypeError('x is not a function');
  assert.equal(listenError(fault, '127.0.0.1', 80), fault);
});

for (const path of ['/healthz', '/metrics', '/..', '/./mcp', '/a/../b']) {
  test(`the path ${path} for MCP stops the start`, async () => {
    const { code, stderr } = await hosted(['serve'], { MCP_PATH: path, PORT: '0' });
    assert.equal(code, 78);
    assert.match(stderr, /MCP_PATH: expected a path .*, but "/);
    assert.doesNotMatch(stderr, /\n +at /);
  });
}

test('a port in use stops the start before anything is made', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.after(() => holder.close());
  const { port } = holder.address() as AddressInfo;
  const dataDir = join(temporaryDirectory(t), 'data');
  const env = { PORT: String(port), SERVICE_DATA_DIR: dataDir, SERVICE_LOGLEVEL: 'debug' };
  const { code, stderr } = await runCli(['serve'], env);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `agent-tool-server: port ${port} on 127.0.0.1 is in use; set PORT to another one\n` +
      '  (SERVICE_LOGLEVEL is not known; did you mean SERVICE_LOG_LEVEL?)\n',
  );
  assert.ok(!existsSync(dataDir));
});

test('credentials that are not JSON stop the start and are not repeated', async () => {
  const { code, stderr } = await hosted(['serve'], { SERVICE_PROVIDER_AUTH_JSON: 'hunter2' });
  assert.equal(code, 78);
  assert.match(stderr, /SERVICE_PROVIDER_AUTH_JSON: expected a JSON object/);
  assert.doesNotMatch(stderr, /hunter2/);
});

test('an unknown variable is a warning that names the nearest known one', async (t) => {
  const { log } = await serve(t, { SERVICE_PROVIDER: 'osv', SERVICE_LOGLEVEL: 'debug' });
  assert.match(log(), /SERVICE_LOGLEVEL is not known; did you mean SERVICE_LOG_LEVEL\?/);
});
