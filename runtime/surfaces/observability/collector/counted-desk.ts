import { ServiceError } from '#contract/errors';
import type { SurfaceMetrics } from '#contract/house/metrics';
import type { CollectorDesk } from './collector.ts';

/** Count what becomes of configurations that are applied: `applied`, or the code of what went wrong. */
export function countedDesk(
  desk: CollectorDesk,
  metrics: Pick<SurfaceMetrics, 'counters'>,
): CollectorDesk {
  const count = metrics.counters({
    name: 'service_observability_collector_apply_total',
    help: 'Configurations of the collector that were to be applied, by what became of them.',
  });
  return {
    ...desk,
    async apply(...wanted) {
      try {
        const applied = await desk.apply(...wanted);
        count({ outcome: 'applied' });
        return applied;
      } catch (error) {
        count({ outcome: error instanceof ServiceError ? error.code : 'failed' });
        throw error;
      }
    },
  };
}
