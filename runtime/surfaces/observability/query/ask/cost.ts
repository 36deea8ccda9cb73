import { type JsonPath, valueAt } from '#contract/json';
import type { TelemetryCost } from '#contract/telemetry/kind';
import { limits } from '../numbers.ts';
import { type BuiltRequest, buildRequest, type RequestValues } from './back-end-request.ts';
import { reachOf } from './logql-reach.ts';

/** What a back end says that a query would read; empty where it does not say. */
export interface Cost {
  readonly bytes?: number;
  readonly rows?: number;
  /** How many selectors a query has, where those are more than are asked for. */
  readonly selectors?: number;
}

/** The question whose cost is asked, in the words of a back end. */
export interface CostQuestion {
  readonly rules: TelemetryCost;
  /** The query as the back end gets it, where there is one. */
  readonly query: string | undefined;
  readonly values: RequestValues;
}

type Send = (
  request: BuiltRequest,
) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

/**
 * Ask a back end what a query would read. An estimate that fails keeps nobody from asking. Of a query of
 * LogQL all that it reads counts: each of its selectors, as far back as its windows reach.
 */
export async function estimateCost(
  { rules, query, values }: CostQuestion,
  send: Send,
): Promise<Cost> {
  const bySelector = Object.values(rules.parameters).some((text) => text.includes('<selector>'));
  if (!bySelector) return estimateOne(rules, values, send);
  const { selectors, back, ahead } = reachOf(query ?? '');
  const { start, end } = values.range;
  const range = { start: start > back ? start - back : 0n, end: end + ahead };
  const asked = selectors.slice(0, limits.selectors);
  const costs = await Promise.all(
    asked.map((selector) =>
      estimateOne(rules, { ...values, range, texts: { ...values.texts, selector } }, send),
    ),
  );
  return {
    ...sumOf(costs, 'bytes'),
    ...sumOf(costs, 'rows'),
    ...(selectors.length > asked.length && { selectors: selectors.length }),
  };
}

function sumOf(costs: readonly Cost[], name: 'bytes' | 'rows'): Cost {
  const known = costs.flatMap((cost) => cost[name] ?? []);
  return known.length === 0 ? {} : { [name]: known.reduce((sum, each) => sum + each, 0) };
}

async function estimateOne(
  { path, parameters, bytes, rows }: TelemetryCost,
  values: RequestValues,
  send: Send,
): Promise<Cost> {
  try {
    const answer = { shape: 'records', at: [] } as const;
    const { status, body } = await send(
      buildRequest({ method: 'GET', path, parameters, answer }, values),
    );
    if (status !== 200) return {};
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const total = { bytes: bytes && sumAt(value, bytes), rows: rows && sumAt(value, rows) };
    return {
      ...(total.bytes !== undefined && { bytes: total.bytes }),
      ...(total.rows !== undefined && { rows: total.rows }),
    };
  } catch {
    return {};
  }
}

/** A number, or the sum of a list of them; some write numbers of 64 bits as texts (proto3 JSON). */
function sumAt(value: unknown, path: JsonPath): number | undefined {
  const found = [valueAt(value, path)].flat(4);
  const numbers = found.map(numberOf).filter((each) => each >= 0);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, each) => sum + each, 0);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Why a query is not run that would read so much. */
export function excessOf({ bytes = 0, rows = 0, selectors = 0 }: Cost): string | undefined {
  if (selectors > 0) {
    return `the query has ${selectors} selectors of streams, and ${limits.selectors} are permitted`;
  }
  const advice = 'ask for a shorter time, or for a service';
  if (bytes > limits.scanBytes) {
    const gib = (count: number) => `${Math.round(count / 1024 ** 3)} GiB`;
    return `the query would read ${gib(bytes)}, and ${gib(limits.scanBytes)} are permitted: ${advice}`;
  }
  if (rows <= limits.scanRows) return undefined;
  return `the query would read ${rows} lines, and ${limits.scanRows} are permitted: ${advice}`;
}
