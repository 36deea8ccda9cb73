import type { SurfaceMetrics } from '#contract/house/metrics';
import type { EngineParts } from './engine.ts';

/** Count what runs do. */
export function openCounters(
  metrics: Pick<SurfaceMetrics, 'counter'>,
): Pick<EngineParts, 'onStart' | 'onStep' | 'onEnd'> {
  const started = metrics.counter({
    name: 'workflow_runs_started_total',
    help: 'Runs of workflows that this process has begun.',
  });
  const steps = metrics.counter({
    name: 'workflow_steps_total',
    help: 'Steps of workflows that came to an end in this process, well or not.',
  });
  const completed = metrics.counter({
    name: 'workflow_runs_completed_total',
    help: 'Runs of workflows that were completed in this process.',
  });
  const failed = metrics.counter({
    name: 'workflow_runs_failed_total',
    help: 'Runs of workflows that have failed or were cancelled in this process.',
  });
  return {
    onStart: () => started(),
    onStep: () => steps(),
    onEnd: ({ state }) => (state.status === 'completed' ? completed() : failed()),
  };
}
