/** What one script may use. */
export interface ScriptLimits {
  /** Bytes of everything that the interpreter holds. */
  readonly memoryBytes: number;
  /** Time that the script itself computes; waiting for tools does not count. */
  readonly cpuMs: number;
  /** Bytes of the interpreter's stack. */
  readonly stackBytes: number;
  /** Calls of tools. */
  readonly calls: number;
  /** Calls that run at the same time; more of them wait. */
  readonly callsAtOnce: number;
  /** Characters of the JSON text of the arguments of one call. */
  readonly argumentCharacters: number;
  /** Characters of the JSON text of what one call gives to the script. */
  readonly answerCharacters: number;
  /** Characters of the JSON text of what the script gives back. */
  readonly resultCharacters: number;
  /** Characters of everything that it prints. */
  readonly outputCharacters: number;
}

/** What a script can have done outside of its sandbox. */
export interface ScriptHost {
  /** Run a tool; gives what the script is told, as JSON text. Never fails. */
  call(tool: string, text: string, signal: AbortSignal): Promise<ToldAnswer>;
}

export interface ToldAnswer {
  readonly ok: boolean;
  readonly text: string;
}

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

export interface SandboxOptions {
  readonly limits?: Partial<ScriptLimits>;
  /** Scripts that run at the same time. */
  readonly threads: number;
}

/** Runs scripts of strangers. Nothing starts before the first script. */
export interface ScriptSandbox {
  readonly limits: ScriptLimits;
  /**
   * Run a script until it ends or uses more than it may.
   *
   * @throws ToolError `rate_limited_local` when too many others wait
   * @throws the reason of `signal`
   */
  run(code: string, host: ScriptHost, signal: AbortSignal, owner?: string): Promise<ScriptEnd>;
  /** Have a thread ready, because a script will probably come. */
  warm(): Promise<void>;
  /** End every thread. */
  close(): Promise<void>;
}
