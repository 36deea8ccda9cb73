import { isObject, valueAt } from '#contract/json';
import type { RowFields, TelemetryAnswer } from '#contract/telemetry/kind';
import { parseNanoseconds } from '../ask/time-text.ts';
import { firstAt, textAt } from './fields.ts';
import { LogLine } from './log-line.ts';
import { readSeries } from './read-series.ts';
import { type Content, type LogRow, UnusableAnswer } from './rows.ts';

/**
 * Streams of lines that share their labels (Loki, query_range). A query of LogQL that counts gives
 * series instead.
 */
export function readStreams(list: unknown, answer: TelemetryAnswer): Content {
  const streams = listOf(list);
  if (streams.some((stream) => isObject(stream) && stream['metric'] !== undefined)) {
    return readSeries({ resultType: 'matrix', result: streams });
  }
  const { fields = {} } = answer;
  return { holds: 'logs', rows: streams.flatMap((stream) => linesOf(stream, fields)) };
}

function linesOf(stream: unknown, fields: RowFields): LogRow[] {
  const labels = valueAt(stream, ['stream']);
  const values = listOf(valueAt(stream, ['values']));
  return values.map((value) => {
    if (!Array.isArray(value)) throw new UnusableAnswer('a line is no list of time and text');
    const [time, line] = value;
    const timestamp = parseNanoseconds(time, 'ns');
    if (timestamp === undefined || typeof line !== 'string') {
      throw new UnusableAnswer('a line has no time in nanoseconds or no text');
    }
    return new LogLine(timestamp, line, labels, fields);
  });
}

/** One line of a log in each record. */
export function readRecords(list: unknown, { row = [], fields = {} }: TelemetryAnswer): Content {
  const rows = listOf(list).map((item): LogRow => {
    const record = row.length === 0 ? item : valueAt(item, row);
    if (!isObject(record)) throw new UnusableAnswer('a line of the log is no object');
    const { paths = [], unit = 'ns' } = fields.timestamp ?? {};
    const timestamp = parseNanoseconds(firstAt(record, paths), unit) ?? 0n;
    return new LogLine(timestamp, textAt(record, fields.body) ?? '', record, fields);
  });
  return { holds: 'logs', rows };
}

/** @throws UnusableAnswer */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  // Go writes an empty list as null.
  if (value === null) return [];
  throw new UnusableAnswer('where its rows should be stands no list');
}
