import type { ScriptEnd, ScriptLimits } from '#contract/house/sandbox';

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
  /** What the thread had computed until then, in milliseconds. */
  | { readonly kind: 'began'; readonly cpuMs: number }
  | { readonly kind: 'call'; readonly id: number; readonly tool: string; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly end: ScriptEnd;
      /** The interpreter has taken much memory, which is given back when the thread ends. */
      readonly hasGrown: boolean;
    };
