/** The labels of a value, by their names. */
export type Labels = Readonly<Record<string, string | number>>;

/** A value of one call, and the trace of that call. */
export interface Exemplar {
  readonly labelSet: { readonly trace_id: string; readonly span_id: string };
  readonly value: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** One value of a metric, as a line of the text formats of Prometheus shows it. */
export interface Sample {
  /** Where it is not that of the metric. */
  readonly metricName?: string;
  readonly labels?: Labels;
  readonly value: number;
  /** One of the calls that it counts (OpenMetrics, exemplars). */
  readonly exemplar?: Exemplar;
}

/** A metric with all of its values at one time. */
export interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** What is counted or measured under one name. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[] | Promise<readonly Sample[]>;
}
