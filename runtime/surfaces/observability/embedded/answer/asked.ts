import type { Keep } from '../keep/keep.ts';

/** What one tenant may ask for. */
export interface Asked {
  readonly keep: Keep;
  readonly tenant: string;
  /** Whether it may see what is told of the server as a whole. */
  readonly isOwner: boolean;
  readonly parameters: URLSearchParams;
  readonly signal: AbortSignal;
}
