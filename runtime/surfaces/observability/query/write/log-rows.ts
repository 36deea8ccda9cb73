import { compareTimes, rfc3339 } from '../ask/time-text.ts';
import type { MergedRow } from '../merge/merge-logs.ts';
import { limits } from '../numbers.ts';
import { csvText, hoist, type Table } from './csv.ts';

/** A line as JSON shows it. */
export interface ShownLog {
  readonly timestamp: string;
  readonly severity?: string;
  readonly service?: string;
  readonly body: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly providerId: string;
}

/** Make of a merged line what JSON shows. */
export function shownLog({ row, providerId }: MergedRow): ShownLog {
  const { timestamp, severity, service, body, traceId, spanId, attributes } = row;
  return {
    timestamp: rfc3339(timestamp),
    ...(severity !== undefined && { severity }),
    ...(service !== undefined && { service }),
    body: shortened(body),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
    ...{ attributes, providerId },
  };
}

/**
 * Lines as a table: what all of them say stands beside it, rare attributes share a column. The span
 * of a line is left out where its trace is there, which leads to it.
 */
export function logTable(rows: readonly ShownLog[]): {
  readonly shared: Readonly<Record<string, string>>;
  readonly csv: string;
} {
  const counts = new Map<string, number>();
  for (const { attributes } of rows) {
    for (const key of Object.keys(attributes)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const columns = [...counts].filter(([, count]) => count * 2 >= rows.length).map(([key]) => key);
  const own = new Set(columns.slice(0, mostColumns));
  const facts = rows.every(({ spanId, traceId }) => spanId === undefined || traceId !== undefined)
    ? factsOfTraces
    : ([...factsOfTraces, 'spanId'] as const);
  const names = [...facts, ...own, 'attributes', 'providerId'];
  const table: Table = {
    columns: names,
    rows: rows.map((row) => [
      ...facts.map((name) => row[name] ?? ''),
      ...[...own].map((key) => row.attributes[key] ?? ''),
      packed(row.attributes, own),
      row.providerId,
    ]),
  };
  const { shared, table: rest } = hoist(table);
  return { shared, csv: csvText(rest) };
}

const factsOfTraces = ['timestamp', 'severity', 'service', 'body', 'traceId'] as const;
const mostColumns = 24;

/** Attributes that few lines have (logfmt). */
function packed(attributes: Readonly<Record<string, string>>, own: ReadonlySet<string>): string {
  return Object.entries(attributes)
    .filter(([key]) => !own.has(key))
    .map(([key, value]) =>
      /[\s"=]/.test(value) ? `${key}=${JSON.stringify(value)}` : `${key}=${value}`,
    )
    .join(' ');
}

function shortened(body: string): string {
  return body.length <= limits.lineCharacters ? body : `${body.slice(0, limits.lineCharacters)}…`;
}

/** How many lines there are, by level, service and time. */
export function summarizeLogs(rows: readonly ShownLog[]): Readonly<Record<string, unknown>> {
  const times = rows.map(({ timestamp }) => timestamp).sort(compareTimes);
  return {
    rows: rows.length,
    ...(times.length > 0 && { oldest: times[0], newest: times.at(-1) }),
    bySeverity: tally(rows.map(({ severity = 'none' }) => severity)),
    byService: tally(rows.map(({ service = 'none' }) => service)),
    byProvider: tally(rows.map(({ providerId }) => providerId)),
    byMinute: Object.fromEntries(
      Object.entries(tally(times.map((time) => `${time.slice(0, 16)}Z`))).slice(0, mostMinutes),
    ),
  };
}

const mostMinutes = 60;

/** How often each text occurs, the most frequent first. */
export function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
