import type { Severity } from '../diagnostic.ts';

/** What the documentation says about a code. */
export interface CodeEntry {
  /** Severity where the reporter names no other. */
  readonly severity: Severity;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}
