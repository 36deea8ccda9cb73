/** The words of the search over tools, besides those of the tools. */
export interface SearchWords {
  /** Words that stand for each other; one may be made of several words. */
  readonly groups: readonly (readonly string[])[];
  /** Words that say nothing about a tool. */
  readonly stopWords: readonly string[];
}
