import type { OwnSample } from '#contract/telemetry/own-telemetry';
import { Remembered } from '../process/remembered.ts';
import type { CollectedMetric, Metric, Sample } from './metric.ts';

/** Prometheus, data model: metric names. */
const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
/** What prom-client measures of Node.js is called so. */
const reserved = /^(?:process|nodejs)_/;

/** The metrics of this process. What prints them is loaded when it is needed. */
export class MetricShelf {
  readonly #metrics = new Map<string, Metric>();
  readonly #registries = new Remembered(async () => {
    const { Registries } = await import('./registries.ts');
    const registries = new Registries();
    for (const metric of this.#metrics.values()) registries.add(metric);
    this.#onAdd = (metric) => registries.add(metric);
    return registries;
  });
  #onAdd: ((metric: Metric) => void) | undefined;

  /** @throws Error when the name is none, or taken */
  add<Kind extends Metric>(metric: Kind): Kind {
    const { name } = metric;
    if (!nameForm.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a metric`);
    if (reserved.test(name) || this.#metrics.has(name)) {
      throw new Error(`a metric called ${name} is there already`);
    }
    this.#metrics.set(name, metric);
    this.#onAdd?.(metric);
    return metric;
  }

  /** All values as text, in the best format that the Accept header names. */
  async expose(accept: string): Promise<{ contentType: string; text: string }> {
    const { plain, openMetrics } = await this.#registries.get();
    const registry = accept.includes('application/openmetrics-text') ? openMetrics : plain;
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** All values, those of Node.js too. */
  async samples(): Promise<readonly OwnSample[]> {
    const found = await this.collect();
    return found.flatMap(({ name, samples }) =>
      // Samples of a histogram have names of their own.
      samples.map(({ metricName = name, labels = {}, value }) => ({
        ...{ name: metricName, labels, value },
      })),
    );
  }

  /** All metrics with their values, those of Node.js too. */
  async collect(): Promise<readonly CollectedMetric[]> {
    const { plain } = await this.#registries.get();
    const found = await plain.getMetricsAsJSON();
    return found.map(({ name, help, type, values }) => ({
      ...{ name, help, type: String(type) },
      samples: values as readonly Sample[],
    }));
  }

  /** Begin to measure Node.js, which the first look at the metrics does as well. */
  async measureNode(): Promise<void> {
    await this.#registries.get();
  }
}
