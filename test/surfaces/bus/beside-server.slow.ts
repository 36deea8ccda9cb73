import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../runtime/cli/run-cli.ts';
import { serve } from '../../runtime/cli/served.ts';
import { temporaryDirectory } from '../../runtime/store/temporary-directory.ts';
import { callTool } from '../search/search-server.ts';

test('processes on the data directory of a server publish and read through it, all at a time', async (t) => {
  const env = {
    ...{ SERVICE_PROVIDER: 'osv', SERVICE_ENABLE_BUS: '1' },
    SERVICE_DATA_DIR: join(temporaryDirectory(t), 'data'),
  };
  const call = async (name: string, args: object) => {
    const { code, stdout, stderr } = await runCli(['call', name, JSON.stringify(args)], env);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const document = (document_id: string) => ({ event: 'document.received', data: { document_id } });
  const read = { stream: 'SERVICE_DOCUMENT' };
  // Without a server, each command is the one process that has the directory.
  await call('bus_publish', document('before'));
  const { url } = await serve(t, env);
  await Promise.all(['1', '2', '3'].map((id) => call('bus_publish', document(id))));
  await callTool(url, 'bus_publish', document('server'));
  const told = await call('bus_read', read);
  for (const id of ['before', '1', '2', '3', 'server']) {
    assert.ok(
      told.includes(`"document_id":"${id}"`) || told.includes(`"document_id": "${id}"`),
      id,
    );
  }
  const { structuredContent } = await callTool(url, 'bus_read', read);
  const { events } = structuredContent as { readonly events: readonly { sequence: number }[] };
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5],
  );
});
