import type { Arrival } from '../arrival.ts';
import type { CallContext, Caller } from '../caller.ts';

/** A caller that was not let through, and what for. */
export interface Denial {
  /** The tool or route that it wanted to use. */
  readonly operation: string;
  readonly caller: Caller;
  readonly arrival: Arrival | undefined;
  /** Scopes that are needed. */
  readonly needs: readonly string[];
  /** The call, where one had begun. */
  readonly context: CallContext | undefined;
}

/** Is told what is decided about callers. It may neither throw nor wait. */
export interface GuardWatch {
  /** Give what is called for each call of an operation that is let through. */
  allowed(operation: string): () => void;
  denied(denial: Denial): void;
}

/** What is sent of a decision, by the names of its attributes. */
export interface GuardRecord {
  readonly verdict: 'allow' | 'deny';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** The span in which it was decided. */
  readonly trace?: { readonly traceId: string; readonly spanId: string };
}
