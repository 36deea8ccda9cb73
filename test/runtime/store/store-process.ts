import { createStore } from '../../../runtime/store/index.ts';

/** Holds the store in the folder that its argument names, until it is killed. */
const store = createStore({ dataDir: process.argv[2] ?? '' });
await store.open();
process.stdout.write('open\n');
process.stdin.resume();
