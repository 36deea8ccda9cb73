import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { path } from '#contract/path';
import type { Provider } from '#contract/provider';
import type { ToolRequest } from '#contract/request';
import { caller } from '../harness.ts';
import { type Seen, sendJson, startUpstream } from '../upstream.ts';

interface Sent {
  readonly request: Partial<ToolRequest>;
  readonly provider?: Partial<Provider>;
  readonly env?: Record<string, string>;
}

/** What the vendor sees of a request. */
export async function sent(
  t: TestContext,
  { request, provider = {}, env = {} }: Sent,
): Promise<Seen> {
  const upstream = await startUpstream(t, (response) => sendJson(response, {}));
  const whole = { method: 'POST', path: path`/things`, ...request };
  await caller(t, upstream.url, {
    provider,
    tool: { request: () => whole },
    options: { env },
  }).call();
  const [seen] = upstream.seen;
  assert.ok(seen);
  return seen;
}
