import { ServiceError } from '#contract/errors';
import type { SurfaceMetrics } from '#contract/house/metrics';
import type { CollectorDesk } from './collector.ts';

/** What became of a configuration, by the code of what went wrong (docs/alerts.md). */
const outcomes: Readonly<Record<string, string>> = {
  validation_failed: 'rejected',
  reload_failed: 'rolled_back',
};

/** Count what becomes of configurations that are applied. */
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
        const code = error instanceof ServiceError ? error.code : '';
        count({ outcome: outcomes[code] ?? 'failed' });
        throw error;
      }
    },
  };
}
