import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { decide, signedIn } from '../../surfaces/identity/consent-browser.ts';
import { freePort } from '../../surfaces/identity/outbox/mail-server.ts';
import { startWholeServer } from '../../surfaces/identity/whole-server.ts';
import { suiteFolder } from './suite.ts';

/** What the suite looks at where it is given an authorization server. */
const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

test('conformance: the authorization server, whose page a person answers', async (t) => {
  const port = String(await freePort());
  const redirects = [`http://127.0.0.1:${port}/callback`];
  const server = await startWholeServer(t, {
    SERVICE_OAUTH_CLIENTS: JSON.stringify([{ client_id: 'suite', redirect_uris: redirects }]),
  });
  const { base } = server;
  const person = await signedIn(server);
  const entry = join(suiteFolder, 'dist', 'index.js');
  const about = ['--url', base, '--resource', `${base}/mcp`, '--client-id', 'suite'];
  const args = [entry, 'authorization', ...about, '--port', port];
  // It opens no browser by itself, and says where to go.
  const suite = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => suite.kill('SIGKILL'));
  const visit = Promise.withResolvers<string>();
  let spoken = '';
  const hear = (chunk: unknown) => {
    spoken += chunk;
    const [, address] = /(https?:\/\/\S+\/oauth2\/authorize\?\S+)\s/.exec(spoken) ?? [];
    // Whoever comes back before it listens finds nobody.
    if (address !== undefined && spoken.includes('Callback server started')) visit.resolve(address);
  };
  suite.stdout.on('data', hear);
  suite.stderr.on('data', hear);
  const ended = new Promise<number | null>((resolve) => {
    suite.on('close', (code) => {
      visit.reject(new Error(spoken));
      resolve(code);
    });
  });
  const back = await decide(person, await visit.promise);
  await fetch(back);
  assert.equal(await ended, 0, spoken);
  for (const scenario of scenarios) {
    assert.match(spoken, new RegExp(`${scenario}: [1-9]\\d* passed, 0 failed`), spoken);
  }
});
