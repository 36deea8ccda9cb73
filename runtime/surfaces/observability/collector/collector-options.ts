/** What an operator says of the collector. */
export interface CollectorOptions {
  /** Where it takes OTLP. */
  readonly grpcEndpoint: string;
  readonly httpEndpoint: string;
  /** Where the telemetry of browsers comes in; absent where none does. */
  readonly browserEndpoint: string | undefined;
  /** Where it says how it is. */
  readonly healthUrl: string;
  /** Where it gives its own metrics. */
  readonly metricsEndpoint: string;
  /** Where it keeps what it could not send yet. */
  readonly queueDir: string;
  readonly memoryLimitMib: number;
  /** What it is built of: a distribution, or a list of components. */
  readonly components: readonly string[];
  /** Folder of credentials. */
  readonly secretsDir: string | undefined;
  /** Beginnings of the names of variables that it may read. */
  readonly secretPrefixes: readonly string[];
}
