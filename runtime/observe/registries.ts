import {
  collectDefaultMetrics,
  type OpenMetricsContentType,
  type Metric as OwnMetric,
  Registry,
} from 'prom-client';
import type { Metric } from './metric.ts';

/** Prints all metrics in each text format, with what prom-client measures of Node.js. */
export class Registries {
  readonly plain = new Registry();
  readonly openMetrics = new Registry<OpenMetricsContentType>();

  constructor() {
    this.openMetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    for (const register of [this.plain, this.openMetrics]) {
      collectDefaultMetrics({ register });
      // Gauges named like counters, of what others of them say by type.
      for (const name of ['handles', 'requests', 'resources']) {
        register.removeSingleMetric(`nodejs_active_${name}_total`);
      }
    }
  }

  add(metric: Metric): void {
    // Apart, because a registry of OpenMetrics renames the counters that it writes.
    for (const register of [this.plain, this.openMetrics]) {
      // It asks a metric for its name and its values, and for nothing that its own classes add.
      register.registerMetric(registered(metric) as unknown as OwnMetric);
    }
  }
}

function registered(metric: Metric) {
  const { name, help, type } = metric;
  return {
    name,
    type,
    async get() {
      return { name: this.name, help, type, values: await metric.samples() };
    },
  };
}
