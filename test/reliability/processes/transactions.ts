import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';
import { mark, section } from '../marks.ts';
import { addNote, makeNotes } from '../notes.ts';

/** Runs transactions until it is killed; tells which were acknowledged and which were refused. */
const [options = '', round = ''] = process.argv.slice(2);
const store = createStore(JSON.parse(options) as StoreOptions);
await store.open();
await makeNotes(store);
let number = 0;

async function add(): Promise<void> {
  const id = `${round}/${number++}`;
  try {
    await addNote(store, id);
    mark('acknowledged', id);
  } catch (error) {
    const refused = error instanceof ServiceError && error.status === 503;
    mark(refused ? 'refused' : 'failed', refused ? error.code : JSON.stringify(String(error)));
    await sleep(10);
  }
}

for (let burst = 0; ; burst++) {
  await section(() => Promise.all([add(), add(), add()]));
  await sleep(burst % 3);
}
