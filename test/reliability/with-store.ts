import { createStore, type OwnedStore, type StoreOptions } from '../../runtime/store/index.ts';

/** Open a store for a piece of work. */
export async function withStore<T>(
  options: StoreOptions,
  work: (store: OwnedStore) => Promise<T>,
): Promise<T> {
  const store = createStore(options);
  await store.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
