import type { Location } from '../../diagnostics/diagnostic.ts';

export type DriftKind =
  | 'added'
  | 'removed'
  | 'renamed'
  | 'altered'
  | 'narrowed'
  | 'widened'
  | 'deprecated'
  | 'unread';

/** One thing that a later version of a description says otherwise. */
export interface Told {
  readonly kind: DriftKind;
  /** What has changed, in words. */
  readonly text: string;
  /** JSON pointer into the later document. */
  readonly pointer: string;
  /** Where it stands, if `pointer` does not lead there: what is missing is not in the document. */
  readonly at?: Location;
  /** Whether calls that work today, or what reads their answers, may fail. */
  readonly breaks: boolean;
  /** Whether it stands in the curation, which nobody but a person changes. */
  readonly curated?: boolean;
}

/** What a later version of a description makes of one operation. */
export interface DriftChange extends Omit<Told, 'pointer' | 'at'>, Location {
  /** The tool, the first of several; of an added operation, its id or its route. */
  readonly tool: string;
  /** All tools that one and the same change concerns, where there are several. */
  readonly tools?: readonly string[];
}
