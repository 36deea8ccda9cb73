import type { TestContext } from 'node:test';
import { createStore, type OwnedStore, type StoreOptions } from '../../../runtime/store/index.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A fresh database for one test, to which any number of replicas can be opened. */
export interface TestDatabase {
  readonly options: StoreOptions;
  /** Open the stores of so many replicas. SQLite has one, which they all use. */
  replicas(count: number): Promise<OwnedStore[]>;
}

export type MakeDatabase = (t: Pick<TestContext, 'after'>) => Promise<TestDatabase>;

export async function sqliteDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const options = { dataDir: temporaryDirectory(t) };
  return {
    options,
    async replicas(count) {
      const store = await openStore(t, options);
      return Array.from({ length: count }, () => store);
    },
  };
}

/** Open a store for the time of one test. */
export async function openStore(
  t: Pick<TestContext, 'after'>,
  options: StoreOptions,
): Promise<OwnedStore> {
  const store = createStore(options);
  await store.open();
  t.after(() => store.close());
  return store;
}
