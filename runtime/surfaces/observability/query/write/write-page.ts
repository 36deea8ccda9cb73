import { fit, jsonBytes } from '#contract/text/fit';
import { mergeTraces, summarize } from '../merge/merge-traces.ts';
import type { Page } from '../page.ts';
import type { Format } from '../read-input.ts';
import { logTable, type ShownLog, shownLog, summarizeLogs } from './log-rows.ts';
import { profileTable, summarizeProfile } from './profile-rows.ts';
import { seriesTable, summarizeSeries } from './series-rows.ts';
import {
  otlpSpans,
  type ShownTrace,
  shownTrace,
  spanTable,
  summarizeTraces,
  traceTable,
} from './trace-rows.ts';

/** What stands in an answer for its rows: one of `data`, `csv` and `summary`. */
export interface Written {
  readonly data?: unknown;
  readonly shared?: Readonly<Record<string, string>>;
  readonly csv?: string;
  readonly summary?: Readonly<Record<string, unknown>>;
}

/** Rows in a form, and how many of them had room. */
export interface WrittenPage {
  readonly written: Written;
  readonly count: number;
  /** Not even one row had room: a part of it is given. */
  readonly isShortened: boolean;
}

/** Write as many of the first rows of a page as have room. A summary speaks of all of them. */
export function writePage(page: Page, format: Format, maxBytes: number): WrittenPage {
  const { length } = page.rows;
  if (format === 'summary') {
    return { written: { summary: summaryOf(page) }, count: length, isShortened: false };
  }
  const list = format === 'json' ? listOf(page, maxBytes) : undefined;
  if (list !== undefined && (list.length > 0 || length === 0)) {
    return { written: { data: list }, count: list.length, isShortened: false };
  }
  const rows = shownRows(page);
  const write = (count: number): Written => writeRows(rows, format, count);
  const count = list === undefined ? tabledRows(length, write, maxBytes) : 0;
  if (count > 0 || length === 0) return { written: write(count), count, isShortened: false };
  return { written: fit(write(1), maxBytes) as Written, count: 1, isShortened: true };
}

/** The first rows that have room, as a list; `undefined` for what is none. */
function listOf(page: Page, maxBytes: number): readonly unknown[] | undefined {
  switch (page.holds) {
    case 'logs':
      return firstRows(page.rows, shownLog, maxBytes);
    case 'traces':
      return firstRows(page.rows, shownTrace, maxBytes);
    case 'series':
      return firstRows(page.rows, (series) => series, maxBytes);
    default:
      return undefined;
  }
}

/** Rows that have no room are not even made. */
function firstRows<Row>(
  rows: readonly Row[],
  show: (row: Row) => unknown,
  maxBytes: number,
): readonly unknown[] {
  // `{"data":[]}`
  let left = maxBytes - 11;
  const shown: unknown[] = [];
  for (const row of rows) {
    const made = show(row);
    left -= Buffer.byteLength(JSON.stringify(made)) + 1;
    if (left < 0) break;
    shown.push(made);
  }
  return shown;
}

function tabledRows(length: number, write: (count: number) => Written, maxBytes: number): number {
  const fits = (count: number) => jsonBytes(write(count), maxBytes) <= maxBytes;
  if (fits(length)) return length;
  return countThatFits(length, maxBytes / jsonBytes(write(length)), fits);
}

/** Search near where rows of equal size would end: each try writes the rows anew. */
function countThatFits(length: number, share: number, fits: (count: number) => boolean): number {
  const guess = Math.floor(length * share);
  let least = Math.floor(guess * 0.9);
  let most = Math.min(length - 1, Math.ceil(guess * 1.1));
  if (!fits(least)) [least, most] = [0, least - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** Rows as JSON shows them: made once, however many of them have room. */
type ShownRows =
  | { readonly holds: 'logs'; readonly rows: readonly ShownLog[] }
  | { readonly holds: 'traces'; readonly rows: readonly ShownTrace[] }
  | Exclude<Page, { readonly holds: 'logs' | 'traces' }>;

function shownRows(page: Page): ShownRows {
  if (page.holds === 'logs') return { holds: 'logs', rows: page.rows.map(shownLog) };
  if (page.holds === 'traces') return { holds: 'traces', rows: page.rows.map(shownTrace) };
  return page;
}

function writeRows(shown: ShownRows, format: 'json' | 'csv', count: number): Written {
  const isCsv = format === 'csv';
  switch (shown.holds) {
    case 'logs': {
      const rows = shown.rows.slice(0, count);
      return isCsv ? logTable(rows) : { data: rows };
    }
    case 'series': {
      const rows = shown.rows.slice(0, count);
      return isCsv ? seriesTable(rows) : { data: rows };
    }
    case 'traces': {
      const rows = shown.rows.slice(0, count);
      return isCsv ? traceTable(rows) : { data: rows };
    }
    case 'spans': {
      const rows = shown.rows.slice(0, count);
      return isCsv ? spanTable(rows) : { data: otlpSpans(rows) };
    }
    case 'profile': {
      const [profile] = shown.rows;
      if (profile === undefined) return { data: null };
      return isCsv ? profileTable(profile) : { data: profile };
    }
  }
}

function summaryOf(page: Page): Readonly<Record<string, unknown>> {
  switch (page.holds) {
    case 'logs':
      return summarizeLogs(page.rows.map(shownLog));
    case 'series':
      return summarizeSeries(page.rows);
    case 'traces':
      return summarizeTraces(page.rows.map(shownTrace));
    case 'spans': {
      const traces = [{ providerId: '', traces: summarize(page.rows) }];
      return summarizeTraces(mergeTraces(traces).traces.map(shownTrace));
    }
    case 'profile': {
      const [profile] = page.rows;
      return profile === undefined ? {} : summarizeProfile(profile);
    }
  }
}
