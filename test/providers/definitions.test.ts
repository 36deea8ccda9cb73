import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { ToolDefinition } from '#contract/tool';
import { providers } from '../../generated/providers.ts';

test('what is listed of every tool is what is called', async () => {
  for (const [id, entry] of Object.entries(providers)) {
    const { tools } = await entry.load();
    const listed: ToolDefinition[] = JSON.parse(readFileSync(entry.definitions, 'utf8'));
    const called = await Promise.all(Object.values(tools).map((load) => load()));
    assert.deepEqual(
      listed.map(({ name }) => name),
      Object.keys(tools),
      id,
    );
    for (const [index, definition] of listed.entries()) {
      const { request, response, paging, vendorKey, rateCost, timeoutMs, cache, ...rest } =
        called[index] ?? assert.fail(`${id} has more tools on its list`);
      assert.deepEqual(definition, rest, definition.name);
    }
  }
});
