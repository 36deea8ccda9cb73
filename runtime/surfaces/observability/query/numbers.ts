/** Bounds of federated queries; docs/limits.md tells of them. */
export const limits = {
  /** A range of raw telemetry. */
  rangeMs: 24 * 3_600_000,
  /** A range of samples, which are already few for each time. */
  metricRangeMs: 31 * 24 * 3_600_000,
  /** Rows of one page. */
  rows: 1000,
  defaultRows: 100,
  defaultTraces: 20,
  /** Traces that a summary speaks of, where a query does not say. */
  summaryTraces: 200,
  /** Bytes of what one answer holds, unless it is asked for less. */
  inlineBytes: 262_144,
  leastBytes: 1024,
  defaultBytes: 65_536,
  /** Characters of one line in an answer. */
  lineCharacters: 8192,
  /** Samples of one series (Prometheus answers no more). */
  samples: 11_000,
  /** Samples that a step is chosen for. */
  wantedSamples: 500,
  /** Series of one page. */
  series: 200,
  /** Spans of one trace in an answer. */
  spans: 2000,
  /** Spans of one trace that a flame graph is made of. */
  flameSpans: 20_000,
  deadlineMs: 10_000,
  mostDeadlineMs: 60_000,
  /** Bytes that one provider may answer. */
  answerBytes: 16 * 1024 * 1024,
  /** Providers that are asked at the same time. */
  atOnce: 8,
  /** Queries of one caller at the same time. */
  ofCaller: 4,
  /** What a back end says it would read. */
  scanBytes: 100 * 1024 ** 3,
  scanRows: 500_000_000,
  /** Selectors of streams in a query, each of which is asked what it would read. */
  selectors: 16,
  costMs: 2000,
  costBytes: 1024 * 1024,
  /** Names of fields, or values of one, in an answer; and those that a back end is asked for. */
  defaultFields: 100,
  fieldTexts: 10_000,
  fieldCharacters: 500,
  /** Lines of an export, and its bytes. */
  exportRows: 1_000_000,
  exportBytes: 256 * 1024 * 1024,
  exportPageRows: 5000,
  /** Fingerprints in a cursor: lines of the very same nanosecond, traces of one, and those near it. */
  skipped: 1000,
  skippedTraces: 200,
  nearTraces: 100,
  closeTraces: 600,
} as const;
