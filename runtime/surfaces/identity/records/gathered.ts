/** One statement serves no more than so many; the rest comes with the next one. */
const mostTogether = 64;

type Statement<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/**
 * Make what runs a statement for a key, and does all that is asked for while one is under way with
 * the next one: under load, a statement serves many. None gives what was there before it was asked
 * for.
 *
 * @param run serves at most 64 keys; how many it gets is always a power of two, so that few
 *   statements have to be prepared, and the last one may come again to fill it up
 */
export function gathered<Value>(run: Statement<Value>) {
  const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>();
  let isRunning = false;

  async function serveNext(): Promise<void> {
    const batch = [...waiting].slice(0, mostTogether);
    const keys = batch.map(([key]) => key);
    for (const key of keys) waiting.delete(key);
    try {
      const found = await run(filled(keys));
      for (const [key, { resolve }] of batch) resolve(found.get(key));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
  }

  async function serveAll(): Promise<void> {
    isRunning = true;
    while (waiting.size > 0) await serveNext();
    isRunning = false;
  }

  return (key: string): Promise<Value | undefined> => {
    const answer = waiting.get(key) ?? Promise.withResolvers<Value | undefined>();
    waiting.set(key, answer);
    if (!isRunning) void serveAll();
    return answer.promise;
  };
}

function filled(keys: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(keys.length));
  return Array.from({ length: size }, (_, index) => keys[index] ?? keys.at(-1) ?? '');
}
