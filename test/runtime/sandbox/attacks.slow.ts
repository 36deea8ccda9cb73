import assert from 'node:assert/strict';
import { test } from 'node:test';
import { echoHost, failure, scripts } from './try-script.ts';

const run = scripts({ memoryBytes: 8 * 1024 * 1024, cpuMs: 600_000 });

test('many hostile scripts leave no memory behind', async () => {
  const bomb = 'const a = []; for (;;) a.push(new Array(1000).fill(1.5))';
  for (let i = 0; i < 5; i++) failure(await run(bomb));
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 10; i++) failure(await run(bomb, echoHost));
  const grown = (process.memoryUsage.rss() - before) / 1e6;
  assert.ok(grown < 40, `${grown.toFixed(0)} MB more`);
});
