/** How the collector is told of a new file. */
export type ReloadMode = 'none' | 'sighup' | 'kubernetes';

/** What came of it. */
export interface Reloaded {
  readonly mode: ReloadMode;
  readonly status: 'reloaded' | 'restarting' | 'not_configured';
  /** Milliseconds since the epoch; absent where nobody has looked. */
  readonly verifiedAt?: number;
}

/** Tells the collector of a file that stands where it reads it, and looks whether it has taken it. */
export interface Reloader {
  readonly mode: ReloadMode;
  /**
   * @param withinMs how long it may take, where that is not the usual time
   * @throws ReloadError where it did not
   */
  reload(signal: AbortSignal, withinMs?: number): Promise<Reloaded>;
}

/** The collector has not taken a file; the message is for operators. */
export class ReloadError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ReloadError';
  }
}

/** Where nobody has said how, the file is written and that is all. */
export const noReload: Reloader = {
  mode: 'none',
  reload: async () => ({ mode: 'none', status: 'not_configured' }),
};
