import type { Location } from '../../diagnostics/diagnostic.ts';

export type DriftKind =
  | 'added'
  | 'removed'
  | 'renamed'
  | 'altered'
  | 'narrowed'
  | 'widened'
  | 'deprecated';

/** One thing that a later version of a description says otherwise. */
export interface Told {
  readonly kind: DriftKind;
  /** What has changed, in words. */
  readonly text: string;
  /** JSON pointer into the later document. */
  readonly pointer: string;
  /** Whether calls that work today, or what reads their answers, may fail. */
  readonly breaks: boolean;
  /** Whether it stands in the curation, which nobody but a person changes. */
  readonly curated?: boolean;
}

/** What a later version of a description makes of one operation. */
export interface DriftChange extends Omit<Told, 'pointer'>, Location {
  /** The tool; of an added operation, its id or its route. */
  readonly tool: string;
}
