import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { CollectedMetric } from '../metric.ts';

/** From when to when something was counted. */
export interface Span {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Write a metric as the SDK takes it to an exporter. It keeps the name that it has among the metrics
 * of Prometheus, so that a query finds it whichever way it went.
 */
export function metricData({ name, help, type, samples }: CollectedMetric, span: Span): MetricData {
  const about = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram') {
    const dataPoints = histograms(name, samples, span);
    return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = samples
    .filter(({ metricName = name }) => metricName === name)
    .map(({ labels = {}, value }) => ({ ...span, attributes: { ...labels }, value }));
  return type === 'counter'
    ? { ...about, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...about, dataPointType: DataPointType.GAUGE, dataPoints };
}

interface Building {
  readonly attributes: Record<string, string | number>;
  /** Values up to each bound, those of the bounds before included. */
  readonly buckets: { readonly bound: number; readonly count: number }[];
  sum: number;
  count: number;
}

function histograms(
  name: string,
  samples: CollectedMetric['samples'],
  span: Span,
): DataPoint<Histogram>[] {
  const found = new Map<string, Building>();
  for (const { metricName, labels = {}, value } of samples) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const building = found.get(key) ?? { attributes, buckets: [], sum: 0, count: 0 };
    found.set(key, building);
    if (metricName === `${name}_sum`) building.sum = value;
    else if (metricName === `${name}_count`) building.count = value;
    else if (le !== undefined) building.buckets.push({ bound: boundOf(le), count: value });
  }
  return Array.from(found.values(), ({ attributes, buckets, sum, count }) => {
    const sorted = buckets.toSorted((a, b) => a.bound - b.bound);
    const counts = sorted.map((each, index) => each.count - (sorted[index - 1]?.count ?? 0));
    const boundaries = sorted.map(({ bound }) => bound).filter(Number.isFinite);
    return { ...span, attributes, value: { buckets: { boundaries, counts }, sum, count } };
  });
}

function boundOf(le: string | number): number {
  return le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
}
