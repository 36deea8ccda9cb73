import type { Method } from '../request/method.ts';

/** Show that the server is there. */
export const ping: Method = {
  run: () => ({ kind: 'complete', result: {} }),
};
