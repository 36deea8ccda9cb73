import type { Logger } from 'pino';
import type { SurfaceMetrics } from '#contract/house/metrics';
import type { Fate } from './batches.ts';

/** More of what a receiver says is cut off. */
const longestReason = 200;

/** Counts what could not be sent, and says so in the log when that begins and when it ends. */
export function createLosses(
  metrics: Pick<SurfaceMetrics, 'counters'>,
  log: Pick<Logger, 'info' | 'warn'>,
): (signal: 'traces' | 'logs' | 'metrics' | 'profiles') => Fate {
  const count = metrics.counters({
    name: 'service_telemetry_lost_total',
    help: 'Spans, records of decisions, profiles and exports of metrics of this server that were not sent.',
  });
  return (signal) => {
    let isLosing = false;
    return {
      sent() {
        if (!isLosing) return;
        isLosing = false;
        log.info({ signal }, 'telemetry of this server is sent again');
      },
      lost(items, why, error) {
        count({ signal, reason: why }, items);
        if (isLosing) return;
        isLosing = true;
        const reason = error?.message.slice(0, longestReason);
        log.warn({ signal, why, reason }, 'telemetry of this server is lost, it cannot be sent');
      },
    };
  };
}
