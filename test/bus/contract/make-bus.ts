import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BusDriver } from '#contract/bus/driver';
import type { StreamDefinition } from '#contract/bus/stream';
import { deadLetters, stream } from './streams.ts';

/** A fresh bus with these streams, of which so many drivers are started: each as if in a process. */
export type MakeBus = (
  t: TestContext,
  streams: readonly StreamDefinition[],
  replicas?: number,
) => Promise<readonly BusDriver[]>;
/** One driver, with the stream of the tests. */
export async function oneDriver(
  make: MakeBus,
  t: TestContext,
  more: Partial<StreamDefinition> = {},
): Promise<BusDriver> {
  const [driver] = await make(t, [stream(more), deadLetters]);
  assert.ok(driver);
  return driver;
}

/** Publish for the default tenant. */
export function say(driver: BusDriver, data: string, subject = 'test.a') {
  return driver.publish({ subject, tenant: 'default', data });
}
