import type { GuardRecord } from '../telemetry/guard.ts';

/** One piece of work of this server, as a trace shows it. */
export interface OwnSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly durationMs: number;
  /** What went wrong, in few known words; absent after a success. */
  readonly errorType?: string;
  /** Names of OpenTelemetry's conventions; nothing of what the work was done with. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Whose work it was; absent where no caller was known yet. */
  readonly tenant?: string;
  /** Other work that it has to do with. */
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  /** What other systems keep of their own (W3C Trace Context 3.3). */
  readonly tracestate?: string;
}

/** One value of a metric of this server. */
export interface OwnSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Is told what the server does. Neither of them may throw or wait. */
export interface OwnTelemetryListener {
  /** A line of the log as it was written, in JSON. */
  log(line: string): void;
  span(span: OwnSpan): void;
  /** What was decided about an agent. */
  decision?(record: GuardRecord): void;
}

/** What the server says of itself. */
export interface OwnTelemetry {
  /** Tell all who listen what was decided about an agent. */
  decision(record: GuardRecord): void;
  /** Listen from now on; the result ends that. */
  follow(listener: OwnTelemetryListener): () => void;
  /** All metrics as they are now. */
  samples(): Promise<readonly OwnSample[]>;
}
