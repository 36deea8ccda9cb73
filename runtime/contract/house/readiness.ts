/** Something that this process cannot serve without. */
export interface Check {
  readonly name: string;
  /** Whether it works now. Whoever fails or does not answer in time counts as not working. */
  readonly check: (signal: AbortSignal) => Promise<boolean>;
  /** The process can serve without it: what it would have done waits. */
  readonly isOptional?: boolean;
}

/** Everything that has to work before this process can serve. */
export interface Readiness {
  checks(): readonly Check[];
}
