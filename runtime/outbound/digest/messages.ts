import type { ToolErrorCode, ToolErrorDetail } from '#contract/errors';
import type { Digested, DigestJob } from './digest.ts';

/** What a thread is started with. */
export interface ThreadLimits {
  /** A body after decompression. */
  readonly maxBytes: number;
  /** What the values of one answer may take in memory. */
  readonly mostWeight: number;
}

export type ToThread = DigestJob;

export type FromThread =
  | { readonly ok: true; readonly digested: Digested }
  | {
      readonly ok: false;
      readonly code: ToolErrorCode;
      readonly message: string;
      readonly detail: ToolErrorDetail;
    };
