import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { ToolDefinition } from '#contract/tool';
import { providers } from '../../../../generated/providers.ts';
import { toldTool } from '../../../../runtime/outbound/request/told-tool.ts';
import { testTool } from '../harness.ts';

const definition = testTool();
const outdated = { name: 'ServiceError', code: 'outdated', status: 503 };

test('a tool that was generated anew beneath the server is not called with arguments of the old one', async () => {
  const renamed = { type: 'object', properties: { after: { type: 'string' } } } as const;
  await assert.rejects(
    toldTool(definition, async () => testTool({ input: renamed })),
    outdated,
  );
  // Renamed, or taken away: the module does not export it any more.
  await assert.rejects(
    toldTool(definition, async () => undefined),
    outdated,
  );
  await assert.rejects(
    toldTool(definition, async () => testTool({ name: 'acme_things_find' })),
    outdated,
  );
  const same = testTool();
  assert.equal(await toldTool(definition, async () => same), same);
});

test('every tool of a build is the one that clients are told of', async () => {
  let count = 0;
  for (const { definitions, load } of Object.values(providers)) {
    const told: ToolDefinition[] = JSON.parse(readFileSync(definitions, 'utf8'));
    const { tools } = await load();
    assert.deepEqual(
      told.map(({ name }) => name),
      Object.keys(tools),
    );
    for (const each of told) {
      const loading = tools[each.name];
      assert.ok(loading);
      assert.equal((await toldTool(each, loading)).name, each.name);
      count += 1;
    }
  }
  assert.ok(count > 100);
});
