/** Time and chance, so that a test can hold both still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Call `done` after `ms`; the returned function calls it off. */
  schedule(ms: number, done: () => void): () => void;
  /** A number from 0 up to 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  schedule(ms, done) {
    const timer = setTimeout(done, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
