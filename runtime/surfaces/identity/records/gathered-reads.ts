/** One statement asks for no more than so many; the rest comes with the next one. */
const mostPerRead = 64;

type Read<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * Make what reads by key, and reads all that is asked for while a read is under way with the next
 * one: under load, a statement serves many. None gives what was read before it was asked for.
 *
 * @param read gives what there is of at most 64 keys; how many it gets is always a power of two, so
 *   that few statements have to be prepared, and the last one may come again to fill it up
 */
export function gatheredReads<Value>(read: Read<Value>) {
  const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>();
  let isReading = false;

  async function readNext(): Promise<void> {
    const batch = [...waiting].slice(0, mostPerRead);
    const keys = batch.map(([key]) => key);
    for (const key of keys) waiting.delete(key);
    try {
      const found = await read(filled(keys));
      for (const [key, { resolve }] of batch) resolve(found.get(key));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
  }

  async function readAll(): Promise<void> {
    isReading = true;
    while (waiting.size > 0) await readNext();
    isReading = false;
  }

  return (key: string): Promise<Value | undefined> => {
    const answer = waiting.get(key) ?? Promise.withResolvers<Value | undefined>();
    waiting.set(key, answer);
    if (!isReading) void readAll();
    return answer.promise;
  };
}

function filled(keys: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(keys.length));
  return Array.from({ length: size }, (_, index) => keys[index] ?? keys.at(-1) ?? '');
}
