/** On whose behalf an operation runs. Every act carries one. */
export interface Caller {
  readonly tenant: string;
  readonly subject: string;
  /** The software that speaks for the subject, as far as it is known. */
  readonly client: string;
  readonly scopes: ReadonlySet<string> | 'all';
  readonly transport: 'http' | 'mcp' | 'cli';
}

/** What an operation needs to know about the call that it serves. */
export interface CallContext {
  readonly caller: Caller;
  /** Aborted when the client leaves, the deadline passes or the server stops. */
  readonly signal: AbortSignal;
  /** Unique for each call; an idempotency key for vendors that take one is derived from it. */
  readonly callId: string;
  /** Tell the client how far a long call has come. Absent when the client did not ask. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
}
