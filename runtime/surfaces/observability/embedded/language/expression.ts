import type { LogQuery } from './log-query.ts';
import type { Matcher } from './matchers.ts';

/** Samples of the series that meet all conditions. */
export interface Selector {
  readonly type: 'selector';
  readonly matchers: readonly Matcher[];
  readonly offsetMs: number;
}

/** What a function takes all samples of within a time. */
export interface RangeSelector {
  readonly type: 'range';
  readonly of: Selector;
  readonly rangeMs: number;
}

/** Lines of logs, counted within a time (LogQL). */
export interface LogRange {
  readonly type: 'logs';
  readonly function: 'count_over_time' | 'rate' | 'bytes_over_time' | 'bytes_rate';
  readonly query: LogQuery;
  readonly rangeMs: number;
  readonly offsetMs: number;
}

export interface Call {
  readonly type: 'call';
  readonly name: string;
  readonly args: readonly Expression[];
}

export interface Aggregation {
  readonly type: 'aggregation';
  readonly name: string;
  /** Labels that stay; with `isWithout`, labels that go. */
  readonly labels: readonly string[];
  readonly isWithout: boolean;
  readonly parameter?: Expression;
  readonly of: Expression;
}

export interface Binary {
  readonly type: 'binary';
  readonly sign: string;
  /** A comparison that gives 0 and 1 instead of leaving samples out. */
  readonly isBool: boolean;
  /** The labels that must be equal, or those that may differ; without it, all have to be equal. */
  readonly matching?: { readonly isOn: boolean; readonly labels: readonly string[] };
  readonly left: Expression;
  readonly right: Expression;
}

/** What a query computes at each step (PromQL, and LogQL where it counts). */
export type Expression =
  | { readonly type: 'number'; readonly value: number }
  | Selector
  | RangeSelector
  | LogRange
  | Call
  | Aggregation
  | Binary
  | { readonly type: 'negate'; readonly of: Expression };

/** Whether an expression gives one number, and not one for each series. */
export function isScalar(expression: Expression): boolean {
  switch (expression.type) {
    case 'number':
      return true;
    case 'negate':
      return isScalar(expression.of);
    case 'binary':
      return isScalar(expression.left) && isScalar(expression.right);
    case 'call':
      return expression.name === 'scalar' || expression.name === 'time';
    default:
      return false;
  }
}
