/** Tells those who wait for a stream that it has something new. */
export class Waker {
  readonly #listeners = new Map<string, Set<() => void>>();

  wake(stream: string): void {
    for (const listener of this.#listeners.get(stream) ?? []) listener();
  }

  /** Wake everybody: something may have been missed. */
  wakeAll(): void {
    for (const stream of this.#listeners.keys()) this.wake(stream);
  }

  /** Call `listener` whenever there may be something new, until what this gives is called. */
  listen(stream: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set();
    this.#listeners.set(stream, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(stream);
    };
  }
}
