import type { ScriptLimits } from './limits.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly wasm: WebAssembly.Module;
  readonly limits: ScriptLimits;
}

/** What the server tells a thread. Values of scripts and tools travel as JSON text. */
export type ToThread =
  | { readonly kind: 'run'; readonly code: string }
  | { readonly kind: 'answer'; readonly id: number; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'stop' };

/** What a thread tells the server. */
export type FromThread =
  | { readonly kind: 'began' }
  | { readonly kind: 'call'; readonly id: number; readonly tool: string; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly end: ScriptEnd;
      /** The interpreter has taken much memory, which is given back when the thread ends. */
      readonly hasGrown: boolean;
    };

/** How a script ended, and what it printed until then. */
export type ScriptEnd = { readonly output: readonly string[] } & (
  | {
      readonly kind: 'returned';
      readonly text: string;
      /** It ended without giving anything back. */
      readonly isVoid: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: ScriptFailure }
);

/** Why a script failed. All of it may have been written by the script. */
export interface ScriptFailure {
  /** `limit` where it used more than it may. */
  readonly reason: 'error' | 'limit';
  readonly message: string;
  /** What a failed call said of itself, where that is what ended the script. */
  readonly error?: CallError;
  /** Line of the script, from 1. */
  readonly line?: number;
}

/** The failure of a call, as a script hands it on. */
export interface CallError {
  readonly code: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}
