import type { Gauge } from '#contract/house/metrics';
import type { MeteredUses } from './metered-uses.ts';

/** Uses of plans that nobody is billed for yet, or that nobody will be. */
export function waitingUses(uses: Pick<MeteredUses, 'waiting'>): Gauge {
  return {
    name: 'payments_metered_uses',
    help: 'Uses of plans that the processor is not told of yet, and those of which it cannot be told any more.',
    async read() {
      const states = ['due', 'unreported'] as const;
      return Promise.all(
        states.map(async (state) => ({ labels: { state }, value: await uses.waiting(state) })),
      );
    },
  };
}
