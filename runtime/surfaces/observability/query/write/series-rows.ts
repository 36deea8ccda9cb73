import type { Series } from '../answers/rows.ts';
import { csvText } from './csv.ts';

/** Labels that all series have with the same value, and how the others tell them apart. */
function labelling(series: readonly Series[]) {
  const [first] = series;
  const shared = Object.fromEntries(
    Object.entries(first?.metric ?? {}).filter(
      ([name, value]) => series.length > 1 && series.every(({ metric }) => metric[name] === value),
    ),
  );
  const names = series.map(({ metric }) => {
    const own = Object.entries(metric).filter(([name]) => shared[name] === undefined);
    return own.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ') || 'value';
  });
  return { shared, names };
}

/** Series as one table: a row for each time, a column for each series. */
export function seriesTable(series: readonly Series[]): {
  readonly shared: Readonly<Record<string, string>>;
  readonly csv: string;
} {
  const { shared, names } = labelling(series);
  const times = [...new Set(series.flatMap(({ values }) => values.map(([time]) => time)))];
  const byTime = series.map(({ values }) => new Map(values));
  const rows = times
    .sort((a, b) => a - b)
    .map((time) => [
      new Date(time * 1000).toISOString().replace('.000Z', 'Z'),
      ...byTime.map((values) => values.get(time) ?? ''),
    ]);
  return { shared, csv: csvText({ columns: ['time', ...names], rows }) };
}

/** The least, the largest, the mean and the last value of each series. */
export function summarizeSeries(series: readonly Series[]): Readonly<Record<string, unknown>> {
  const { shared, names } = labelling(series);
  return {
    ...(Object.keys(shared).length > 0 && { shared }),
    series: series.map(({ values }, index) => {
      const numbers = values.map(([, value]) => Number(value)).filter(Number.isFinite);
      const sum = numbers.reduce((total, value) => total + value, 0);
      const least = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
      const largest = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      return {
        name: names[index],
        samples: values.length,
        ...(numbers.length > 0 && {
          min: least,
          max: largest,
          mean: Number((sum / numbers.length).toPrecision(6)),
        }),
        ...(values.length > 0 && { first: shownValue(values[0]), last: shownValue(values.at(-1)) }),
      };
    }),
  };
}

/** JSON has no numbers for NaN and infinity: those stay texts. */
function shownValue(sample: Series['values'][number] | undefined): number | string {
  const text = sample?.[1] ?? '';
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
