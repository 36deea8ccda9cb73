/** A line of a log in the form in which all back ends are merged. */
export interface LogRow {
  /** Nanoseconds since the epoch. */
  readonly timestamp: bigint;
  readonly severity: string | undefined;
  readonly service: string | undefined;
  readonly body: string;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A series of samples, as Prometheus writes them: seconds since the epoch, and a decimal. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** One trace in a list of traces. */
export interface TraceSummary {
  readonly traceId: string;
  readonly rootService?: string;
  readonly rootName?: string;
  readonly start: bigint;
  readonly durationNs: bigint;
  /** Absent where the back end does not count them. */
  readonly spanCount?: number;
  readonly errorCount?: number;
  readonly services: readonly string[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly service: string;
  readonly start: bigint;
  readonly durationNs: bigint;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A node of a tree of stacks: the place of its name, its parent, what it took itself and in all. */
export interface ProfileNode {
  readonly id: number;
  readonly parent: number | null;
  readonly name: number;
  readonly self: number;
  readonly total: number;
}

export interface Profile {
  readonly total: number;
  readonly names: readonly string[];
  readonly nodes: readonly ProfileNode[];
}

/** What an answer holds, by its signal. */
export type Content =
  | { readonly holds: 'logs'; readonly rows: readonly LogRow[] }
  | { readonly holds: 'series'; readonly series: readonly Series[] }
  | { readonly holds: 'traces'; readonly traces: readonly TraceSummary[] }
  | { readonly holds: 'spans'; readonly spans: readonly Span[] }
  | { readonly holds: 'profile'; readonly profile: Profile };

/** An answer of a back end, read. */
export interface ReadAnswer {
  readonly content: Content;
  /** What it says itself, where the caller wants that. */
  readonly native: unknown;
  readonly stats?: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly isPartial: boolean;
}

/** An answer in which a back end says that it has failed. */
export class FailedAnswer extends Error {
  constructor() {
    super('the back end says that it has failed');
    this.name = 'FailedAnswer';
  }
}

/** An answer that is none: what came, in words that repeat nothing of it. */
export class UnusableAnswer extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableAnswer';
  }
}
