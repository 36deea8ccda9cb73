import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderEvent } from '../../../../runtime/audit/log/canonical-event.ts';
import { EventBatch } from '../../../../runtime/audit/log/event-batch.ts';
import { openingEvent } from '../../../../runtime/audit/log/own-events.ts';
import type { FromWriter, ToWriter } from '../../../../runtime/audit/log/writer-messages.ts';
import { openLogDatabase } from '../../../../runtime/audit/postgres/log-database.ts';
import { PostgresServer } from '../../store/postgres-server.ts';
import { logOptions, note, temporaryFolder } from '../audit-note.ts';

/** Longer than the writer waits before it looks what others have written. */
const longerThanLook = 1_500;

test('a writer that was told to end looks for nothing that came behind', async (t) => {
  const server = await PostgresServer.start();
  t.after(() => server.stop());
  const { directory, key, origin } = logOptions(temporaryFolder(t));
  const place = await openLogDatabase(await server.createDatabase(), { directory, key }, origin);
  const opening = renderEvent(openingEvent(place.identity, undefined), 300);
  const worker = place.startWriter({ outside: [], opening, rotation: undefined, at: Date.now() });
  t.after(() => worker.terminate());
  const exit = once(worker, 'exit');
  const tell = (message: ToWriter) => worker.postMessage(message);
  const said = async (kind: FromWriter['kind']) => {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [FromWriter];
      if (message.kind === kind) return;
    }
  };
  await said('state');
  await server.kill();
  const batch = new EventBatch();
  batch.add(renderEvent(note(1), 300));
  tell({ kind: 'append', at: Date.now(), count: 1, events: batch.take() });
  tell({ kind: 'close' });
  // The entry waits for the database; meanwhile it is time to look, behind the end.
  await sleep(longerThanLook);
  const appended = said('appended');
  await server.run();
  await appended;
  const late = sleep(20_000, 'it lives on', { ref: false });
  assert.notEqual(await Promise.race([exit, late]), 'it lives on');
});
