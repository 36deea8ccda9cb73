import type { TraceContext } from '../trace.ts';

/** What a piece of work does: it answers somebody, or asks somebody. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A piece of work of this server that a trace shows, and that is under way. */
export interface OpenSpan {
  /** What is handed on to whoever is asked for a part of the work. */
  readonly context: TraceContext;
  /** Say something of the work, by a name of OpenTelemetry's conventions; nothing that it was done with. */
  set(name: string, value: string): void;
  /** Begin a part of the work. */
  begin(name: string, kind: SpanKind): OpenSpan;
  /** End it, once; `errorType` says in one of few known words what went wrong. */
  end(errorType?: string): void;
}
