import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../runtime/cli/run-cli.ts';
import { blocksIn, project } from './documents.ts';

for (const { document, line, text } of blocksIn('js')) {
  test(`the script at ${document}:${line} gives what it returns`, async (t) => {
    const [, vendor = ''] = /tools\.([a-z]+)_/.exec(text) ?? [];
    const [, tool = ''] = /tools\.(\w+)\(/.exec(text) ?? [];
    const url = await vendorWith(t, `specs/providers/${vendor}/fixtures/${tool}.json`);
    const env = {
      SERVICE_TOOL_MODE: 'code',
      SERVICE_PROVIDER: vendor,
      [`SERVICE_PROVIDER_${vendor.toUpperCase()}_URL`]: url,
      SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    const { code, stdout, stderr } = await runCli(
      ['call', 'api_run', JSON.stringify({ code: text })],
      env,
    );
    assert.equal(code, 0, stderr + stdout);
    const { result } = JSON.parse(stdout);
    assert.ok(Array.isArray(result) && result.length > 0, stdout);
    for (const each of result) assert.ok(Object.keys(each).length > 0, stdout);
  });
}

/** A vendor that gives one answer, that of a fixture. */
async function vendorWith(t: TestContext, fixture: string): Promise<string> {
  const { response } = JSON.parse(readFileSync(join(project, fixture), 'utf8'));
  const server = createServer((_request, reply) => {
    reply
      .writeHead(response.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(response.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
