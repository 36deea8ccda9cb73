/** Bounds of what the server keeps of its own telemetry; docs/limits.md tells of them. */
export const limits = {
  /** Time between two looks at the metrics. */
  scrapeMs: 15_000,
  /** Series of metrics that are kept. */
  series: 4000,
  /** Lines and spans of a tenant, and their characters. */
  lines: 20_000,
  lineCharacters: 16_000_000,
  spans: 20_000,
  spanCharacters: 16_000_000,
  /** Of all that, in a hundred, what pages in browsers may take; they take none of the rest. */
  browserShare: 25,
  /** Characters of one line, and of one attribute; attributes of one line or span. */
  bodyCharacters: 16_384,
  attributeCharacters: 2048,
  attributes: 64,
  /** Bytes of one file, and of all files. */
  fileBytes: 8 * 1024 * 1024,
  folderBytes: 64 * 1024 * 1024,
  /** What waits to be written, in characters; more is not written. */
  unwrittenCharacters: 4_000_000,
  writeMs: 1000,
  /** Labels that Prometheus looks back for, in milliseconds (query.lookback-delta). */
  lookbackMs: 300_000,
  /** Spans of one answer. */
  answeredSpans: 5000,
} as const;
