import { isObject, valueAt } from '#contract/json';
import { type Content, type Series, UnusableAnswer } from './rows.ts';
import { visibleText } from './visible-text.ts';

/** A matrix, vector or scalar (Prometheus HTTP API, expression query result formats). */
export function readSeries(data: unknown): Content {
  const type = valueAt(data, ['resultType']);
  const result = valueAt(data, ['result']);
  if (type === 'scalar' || type === 'string') {
    return { holds: 'series', series: [{ metric: {}, values: [sampleOf(result)] }] };
  }
  if (!Array.isArray(result) && result !== null) {
    throw new UnusableAnswer('where its series should be stands no list');
  }
  const series = (result ?? []).flatMap((item: unknown): Series[] => {
    const { metric, values, value, histograms, histogram } = isObject(item) ? item : {};
    if (!isObject(metric)) throw new UnusableAnswer('a series has no labels');
    const labels = labelsOf(metric);
    const counted = Array.isArray(histograms) ? histograms : [histogram ?? []].filter(isPair);
    if (counted.length === 0) {
      return [
        {
          metric: labels,
          values: Array.isArray(values) ? values.map(sampleOf) : [sampleOf(value)],
        },
      ];
    }
    const samples = Array.isArray(values)
      ? values.map(sampleOf)
      : [value].filter(isPair).map(sampleOf);
    return [
      ...(samples.length > 0 ? [{ metric: labels, values: samples }] : []),
      ...nativeHistogram(labels, counted),
    ];
  });
  return { holds: 'series', series };
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/**
 * What a native histogram counts and sums up, as two series that say so (Prometheus HTTP API, native
 * histograms): its buckets are for functions of PromQL.
 */
function nativeHistogram(
  { __name__: name, ...labels }: Readonly<Record<string, string>>,
  samples: readonly unknown[],
): Series[] {
  return (['count', 'sum'] as const).map((part) => ({
    metric: {
      ...(name !== undefined && { __name__: name }),
      ...{ ...labels, native_histogram: part },
    },
    values: samples.map((sample) => {
      const [time, histogram] = Array.isArray(sample) ? sample : [];
      return sampleOf([time, valueAt(histogram, [part])]);
    }),
  }));
}

function sampleOf(sample: unknown): readonly [number, string] {
  if (Array.isArray(sample)) {
    const [time, value] = sample;
    if (typeof time === 'number' && (typeof value === 'string' || typeof value === 'number')) {
      return [time, String(value)];
    }
  }
  throw new UnusableAnswer('a sample is no pair of seconds and a number');
}

function labelsOf(metric: Readonly<Record<string, unknown>>): Record<string, string> {
  const labels = Object.entries(metric).map(([name, value]) => [
    visibleText(name),
    visibleText(String(value)),
  ]);
  return Object.fromEntries(labels);
}

/** Lists of points in milliseconds, with the tags of each (Datadog, query timeseries points). */
export function readPoints(list: unknown): Content {
  if (!Array.isArray(list)) throw new UnusableAnswer('where its series should be stands no list');
  const series = list.map((item: unknown): Series => {
    const { metric, tag_set: tags, pointlist } = isObject(item) ? item : {};
    if (!Array.isArray(pointlist)) throw new UnusableAnswer('a series has no list of points');
    const labels = Array.isArray(tags) ? tags.map(tagOf) : [];
    const values = pointlist.flatMap((point: unknown) => pointOf(point));
    return { metric: labelsOf({ __name__: metric, ...Object.fromEntries(labels) }), values };
  });
  return { holds: 'series', series };
}

function tagOf(tag: unknown): readonly [string, string] {
  const text = String(tag);
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** A point without a value is a gap. */
function pointOf(point: unknown): readonly (readonly [number, string])[] {
  const [time, value] = Array.isArray(point) ? point : [];
  if (typeof time !== 'number') throw new UnusableAnswer('a point has no time');
  return typeof value === 'number' ? [[time / 1000, String(value)]] : [];
}
