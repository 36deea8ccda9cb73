import type { Method } from './method.ts';

/** Show that the server is there. */
export const ping: Method = {
  run: () => ({ kind: 'complete', result: {} }),
};
