import { createStore, type StoreOptions } from '../../../runtime/store/index.ts';
import { ledgerMigrations } from '../ledger.ts';
import { mark, section, stay } from '../marks.ts';

/** Brings an empty database through the real migrations and through those of the test. */
const options = JSON.parse(process.argv[2] ?? '') as StoreOptions;
const migrations = ledgerMigrations((step) => mark('step', step));
await section(() => createStore({ ...options, migrations }).open());
mark('acknowledged', 'migrated');
stay();
