import { isObject, type Json } from '#contract/json';
import type { TelemetryRequest } from '#contract/telemetry/kind';
import { fillIn, type Placeholder, placeholdersIn } from '#contract/telemetry/placeholders';
import type { TimeRange } from './time-range.ts';
import { decimalSeconds, rfc3339 } from './time-text.ts';
import { inForm } from './value-forms.ts';

/** What fills in the placeholders of a request. */
export interface RequestValues {
  readonly range: TimeRange;
  readonly limit: number;
  readonly stepSeconds?: number | undefined;
  readonly timeoutMs: number;
  readonly direction: 'backward' | 'forward';
  /** All others: the query, parts of a filter. */
  readonly texts: Readonly<Record<string, string | undefined>>;
}

/** A request as it goes to a back end, below the base address of the provider. */
export interface BuiltRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Spans of each trace that a search for spans asks for, to say something of the trace. */
const spansPerTrace = 20;
const mostSpans = 5000;
/** Stacks with less are put together by the back end. */
const mostNodes = 2048;

/** Put a request together. */
export function buildRequest(request: TelemetryRequest, values: RequestValues): BuiltRequest {
  const { method, parameters = {}, form, json, text } = request;
  const give = (placeholder: Placeholder) => textOf(valueOfPlaceholder(placeholder, values));
  const path = fillIn(request.path, (placeholder) => encoded(give(placeholder))) ?? request.path;
  const query = new URLSearchParams();
  for (const [name, template] of Object.entries(parameters)) {
    const value = fillIn(template, give);
    if (value !== undefined && value !== '') query.append(name, value);
  }
  const search = query.toString();
  if (form) return { method, path, headers: formHeaders, body: search };
  const target = search === '' ? path : `${path}?${search}`;
  if (json !== undefined) {
    const body = JSON.stringify(filledJson(json, values));
    return { method, path: target, headers: { 'content-type': 'application/json' }, body };
  }
  if (text === undefined) return { method, path: target, headers: {} };
  const body = fillIn(text, (placeholder) => give(placeholder) ?? '') ?? '';
  return { method, path: target, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

/** What stands between slashes stays there: no value of a caller leads to another path. */
function encoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return /^\.{1,2}$/.test(value) ? encodeURIComponent(`${value} `) : encodeURIComponent(value);
}

/** A text that is nothing but a placeholder becomes its value, a number too. */
function filledJson(template: Json, values: RequestValues): unknown {
  if (typeof template === 'string') {
    const [only] = placeholdersIn(template);
    if (only !== undefined && /^<[^<>]+>$/.test(template)) {
      return valueOfPlaceholder(only, values) ?? '';
    }
    return fillIn(template, (each) => textOf(valueOfPlaceholder(each, values)) ?? '');
  }
  if (Array.isArray(template)) return template.map((item) => filledJson(item, values));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, filledJson(member as Json, values)]),
  );
}

function valueOfPlaceholder(
  { name, form }: Placeholder,
  { range, limit, stepSeconds, timeoutMs, direction, texts }: RequestValues,
): string | number | undefined {
  switch (name) {
    case 'start':
      return timeIn(range.start, form);
    case 'end':
      return timeIn(range.end, form);
    case 'limit':
      return limit;
    case 'spans':
      return Math.min(limit * spansPerTrace, mostSpans);
    case 'nodes':
      return mostNodes;
    case 'step':
      return stepSeconds;
    case 'timeout':
      return form === 'seconds' ? Math.ceil(timeoutMs / 1000) : `${timeoutMs}ms`;
    case 'range':
      return `${(range.end - range.start + 999_999_999n) / 1_000_000_000n}s`;
    case 'direction':
      return direction;
    case 'order':
      return direction === 'forward' ? 'asc' : 'desc';
    case 'sort':
      return direction === 'forward' ? 'timestamp' : '-timestamp';
    default: {
      const text = texts[name];
      return text === undefined ? undefined : inForm(text, form);
    }
  }
}

function timeIn(ns: bigint, form: string | undefined): string | number {
  switch (form) {
    case 'ns':
      return ns.toString();
    case 'us':
      return (ns / 1000n).toString();
    case 'ms':
      return Number(ns / 1_000_000n);
    case 's':
      return decimalSeconds(ns);
    case 'seconds':
      // Whatever lies within the last second is asked for too.
      return Number((ns + 999_999_999n) / 1_000_000_000n);
    default:
      return rfc3339(ns);
  }
}

function textOf(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
