/** The labels of a value, by their names. */
export type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric, as a line of the text formats of Prometheus shows it. */
export interface Sample {
  /** Where it is not that of the metric. */
  readonly metricName?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** What is counted or measured under one name. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[] | Promise<readonly Sample[]>;
}
