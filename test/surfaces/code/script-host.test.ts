import assert from 'node:assert/strict';
import test from 'node:test';
import type { ToolDefinition } from '#contract/tool';
import { Call } from '../../../runtime/admission/call.ts';
import { hostFor } from '../../../runtime/surfaces/code/script-host.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';

const caller = { tenant: 't', subject: 's', client: 'c', scopes: 'all', transport: 'mcp' } as const;
const { signal } = new AbortController();

/** A host whose only tool is this one, and how often that was called. */
function hostOf(demands: Partial<ToolDefinition>, mostCharacters = 1000) {
  const { definition } = toolOf({ name: 'test_it', ...demands });
  let calls = 0;
  const tools = {
    definition: async () => definition,
    suggest: async () => [],
    async callApart() {
      calls += 1;
      return { content: [], structuredContent: { text: 'x'.repeat(500) } };
    },
    report() {},
  };
  const host = hostFor(tools, new Call(caller), mostCharacters);
  return { call: (text: string) => host.call('test_it', text, signal), calls: () => calls };
}

for (const demands of [
  { confirm: 'elicitation' },
  { confirm: 'token' },
  { task: 'required' },
] as const) {
  test(`a tool with ${JSON.stringify(demands)} is not even tried in a script`, async () => {
    const { call, calls } = hostOf(demands);
    const { ok, text } = await call('{}');
    assert.equal(ok, false);
    assert.match(text, /confirmation_required.*tool_call/);
    assert.equal(calls(), 0);
  });
}

test('an answer that is too long for a script says so', async () => {
  const { ok, text } = await hostOf({}, 100).call('{}');
  assert.equal(ok, false);
  assert.match(text, /response_too_large.*more than 100 characters/);
});

test('what comes out of a sandbox is checked like what comes from a client', async () => {
  for (const text of [
    '',
    '[]',
    'null',
    '"a"',
    '{"a":',
    `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
  ]) {
    const { call, calls } = hostOf({});
    assert.equal((await call(text)).ok, false, text);
    assert.equal(calls(), 0);
  }
});
