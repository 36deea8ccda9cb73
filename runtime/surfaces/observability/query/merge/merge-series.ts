import { comparableText } from '#contract/json';
import type { Series } from '../answers/rows.ts';

export interface SeriesSource {
  readonly providerId: string;
  readonly series: readonly Series[];
}

export interface MergedSeries {
  readonly series: readonly Series[];
  readonly dropped: number;
}

/**
 * Put the series of several providers side by side, each with the label `provider_id`. They are
 * never added up: who is asked twice about one thing would hear twice as much.
 *
 * @param onlyFirst of series with equal labels, that of the first provider alone
 */
export function mergeSeries(sources: readonly SeriesSource[], onlyFirst: boolean): MergedSeries {
  const owners = new Map<string, string>();
  let dropped = 0;
  const merged = sources.flatMap(({ providerId, series }) =>
    series.flatMap(({ metric, values }) => {
      if (onlyFirst) {
        const labels = comparableText(metric);
        const owner = owners.get(labels);
        if (owner !== undefined && owner !== providerId) {
          dropped += 1;
          return [];
        }
        owners.set(labels, providerId);
      }
      return [{ metric: { ...metric, provider_id: providerId }, values }];
    }),
  );
  return { series: merged, dropped };
}
