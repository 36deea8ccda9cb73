import { isObject, valueAt } from '#contract/json';
import type { AnswerShape, AnswerSign, TelemetryAnswer } from '#contract/telemetry/kind';
import { readRecords, readStreams } from './read-logs.ts';
import { readFlamegraph } from './read-profile.ts';
import { readPoints, readSeries } from './read-series.ts';
import { readJaeger, readOtlp, readSpans, readSummaries } from './read-traces.ts';
import { type Content, FailedAnswer, type ReadAnswer, UnusableAnswer } from './rows.ts';
import { saidByBackEnd } from './said-by-back-end.ts';

const readers: Readonly<Record<AnswerShape, (value: unknown, answer: TelemetryAnswer) => Content>> =
  {
    streams: readStreams,
    records: readRecords,
    series: readSeries,
    points: readPoints,
    summaries: readSummaries,
    jaeger: readJaeger,
    otlp: readOtlp,
    spans: readSpans,
    flamegraph: readFlamegraph,
  };

const mostWarnings = 8;
const longestWarning = 200;

/**
 * Read the body of a successful answer.
 *
 * @throws UnusableAnswer where it is not what this kind of back end answers
 * @throws FailedAnswer where it gives nothing but that it has failed
 */
export function readAnswer(body: Uint8Array, answer: TelemetryAnswer): ReadAnswer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const { value, isCut } =
    answer.format === 'lines' ? linesIn(text) : { value: parsed(text), isCut: false };
  const isFailed = (answer.failed ?? []).some((sign) => shows(value, sign));
  const found = answer.at.length === 0 ? value : valueAt(value, answer.at);
  if (isFailed && (found === undefined || found === null)) throw new FailedAnswer();
  if (found === undefined && answer.shape !== 'summaries' && answer.shape !== 'flamegraph') {
    throw new UnusableAnswer(`its JSON has no ${answer.at.join('.')}`);
  }
  const stats = answer.stats && valueAt(value, answer.stats);
  const content = readers[answer.shape](found, answer);
  if (isFailed && isEmpty(content)) throw new FailedAnswer();
  return {
    content,
    native: value,
    ...(isObject(stats) && { stats: numbersIn(stats) }),
    warnings: [
      ...warningsIn(value, answer),
      ...(isCut ? ['the answer ended in the middle of a line, which is left out'] : []),
    ],
    isPartial: isCut || isFailed || (answer.partial ?? []).some((sign) => shows(value, sign)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableAnswer(whatCame(text), error);
  }
}

/** A last line that is not whole is one that was cut off; any other is a fault. */
function linesIn(text: string): { readonly value: readonly unknown[]; readonly isCut: boolean } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isWhole = text === '' || text.endsWith('\n');
  const last = lines.at(-1);
  if (last === undefined || isWhole) return { value: lines.map(parsed), isCut: false };
  const before = lines.slice(0, -1).map(parsed);
  try {
    return { value: [...before, JSON.parse(last)], isCut: false };
  } catch (error) {
    if (before.length === 0) throw new UnusableAnswer(whatCame(text), error);
    return { value: before, isCut: true };
  }
}

/** In words of ours: what came may hold anything. */
function whatCame(text: string): string {
  if (text.trim() === '') return 'it is empty';
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(text)) return 'it is a page of HTML, not JSON';
  return /^\s*[[{]/.test(text) ? 'its JSON ends in the middle or is broken' : 'it is not JSON';
}

function shows(value: unknown, { path, equals }: AnswerSign): boolean {
  const found = valueAt(value, path);
  if (equals !== undefined) return found === equals;
  if (typeof found === 'number') return found > 0;
  return (typeof found === 'string' || Array.isArray(found)) && found.length > 0;
}

function isEmpty(content: Content): boolean {
  switch (content.holds) {
    case 'logs':
      return content.rows.length === 0;
    case 'series':
      return content.series.length === 0;
    case 'traces':
      return content.traces.length === 0;
    case 'spans':
      return content.spans.length === 0;
    case 'profile':
      return content.profile.nodes.length === 0;
  }
}

function warningsIn(value: unknown, { warnings = [] }: TelemetryAnswer): string[] {
  const found = warnings.flatMap((path) => valueAt(value, path) ?? []);
  return found.slice(0, mostWarnings).map((warning) => {
    const text = typeof warning === 'string' ? warning : JSON.stringify(warning);
    return saidByBackEnd(text, longestWarning);
  });
}

/** Statistics are numbers: texts in them are nobody's business. */
function numbersIn(stats: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const numbers = Object.entries(stats).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(numbers.slice(0, 24));
}
