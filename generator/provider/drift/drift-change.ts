/** What a later version of a description makes of one operation. */
export interface DriftChange {
  readonly kind:
    | 'added'
    | 'removed'
    | 'renamed'
    | 'altered'
    | 'narrowed'
    | 'widened'
    | 'deprecated';
  /** The tool; of an added operation, its id or its route. */
  readonly tool: string;
  /** What has changed, in words. */
  readonly details: readonly string[];
  /** Whether all of it stands in the curation, which nobody but a person changes. */
  readonly curated?: boolean;
  /** Whether calls that work today, or what reads their answers, may fail. */
  readonly breaks: boolean;
}
