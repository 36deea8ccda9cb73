import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../identity/agent.ts';
import { startWholeServer } from '../identity/whole-server.ts';

const uri = 'skill://observability/SKILL.md';
const local = { SERVICE_AUTH: 'local', SERVICE_PROVIDER: 'osv', SERVICE_TOOL_MODE: 'direct' };

test('the skill teaches questions that can be asked here', async (t) => {
  const { base } = await startWholeServer(t, { ...local, SERVICE_ENABLE_OBSERVABILITY: '1' });
  const { json } = await rpc(base, 'resources/read', { uri });
  const text: string = json.result.contents[0].text;
  const { json: listed } = await rpc(base, 'tools/list');
  const tools = listed.result.tools.map(({ name }: { readonly name: string }) => name);
  const named = text.match(/\bobservability_\w+/g) ?? [];
  assert.ok(named.length >= 6, named.join(' '));
  assert.deepEqual(
    named.filter((name) => !tools.includes(name)),
    [],
  );
});

test('where the surface is off, nobody is taught about it', async (t) => {
  const { base } = await startWholeServer(t, local);
  const { json } = await rpc(base, 'resources/read', { uri });
  assert.match(json.error.message, /skill:\/\/observability/);
});
