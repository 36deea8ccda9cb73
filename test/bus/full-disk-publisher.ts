import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedDriver } from '../../runtime/bus/embedded/embedded-driver.ts';
import { createStore } from '../../runtime/store/index.ts';
import { deadLetters, stream } from './contract/streams.ts';

/** Publishes until the disk is full, makes room, and prints what became of the events. */
const folder = process.argv[2] ?? '';
const filler = join(folder, 'filler');
const isMounted = process.env['SMALL_DISK'] === 'tmpfs';
const store = createStore({ dataDir: join(folder, 'data') });
await store.open();
const driver = new EmbeddedDriver({
  ...{ store, streams: [stream(), deadLetters], owner: randomUUID() },
  onFailure: () => {},
});
// It leaves little of the whole to be used up.
if (isMounted) writeFileSync(filler, Buffer.alloc(900_000));

const handled = new Set<string>();
await driver.consume({ stream: 'TEST', name: 'test_reader' }, async ({ message }) => {
  handled.add(message.id);
});
let acknowledged = 0;
let refusal: unknown;
const publish = () => {
  const data = 'x'.repeat(20_000);
  return driver.publish({ subject: 'test.a', tenant: 'default', data, id: String(acknowledged) });
};
while (refusal === undefined) {
  try {
    await publish();
    acknowledged += 1;
  } catch (error) {
    refusal = error;
  }
}
const { code, status } = refusal as { code: string; status: number };
if (isMounted) rmSync(filler);
else execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
// The same one again: it was not stored, so it is no duplicate.
const { duplicate: again } = await publish();
acknowledged += 1;
while (handled.size < acknowledged) await new Promise((resolve) => setTimeout(resolve, 20));
const { messages } = await driver.read({ stream: 'TEST', limit: 1000 });
await driver.stop();
await store.close();
process.stdout.write(
  JSON.stringify({
    ...{ code, status, again, acknowledged },
    ...{ kept: messages.length, handled: handled.size },
  }),
);
