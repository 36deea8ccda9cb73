import type { GateMaker } from '#contract/telemetry/browser-gate';
import { logsOf } from './faro-logs.ts';
import { forwardTo } from './forward.ts';
import { openGate } from './gate.ts';
import { ownServices } from './page-names.ts';
import { Tally } from './tally.ts';
import { signToken } from './token.ts';

/** The gate as a part of the server. */
export const gateMaker: GateMaker = {
  open: openGate,
  ownServices,
  sign: signToken,
  forward: forwardTo,
  logsOf,
  tally(count) {
    const tally = new Tally(count);
    return (collected) => tally.add(collected);
  },
};
