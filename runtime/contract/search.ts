/** Words that stand for each other; one may be made of several words. */
type Groups = readonly (readonly string[])[];

/** The words of the search over tools, besides those of the tools. */
export interface SearchWords {
  /** For what is done, by those who want something changed and by those who do not. */
  readonly actions: { readonly changing: Groups; readonly reading: Groups };
  /** How a question begins, and what answers such a question whatever it is about. */
  readonly forms: Groups;
  /** Words that say when, where or how. */
  readonly circumstances: readonly string[];
  /** For all other things. */
  readonly groups: Groups;
  /** What one vendor calls so and another so; of use where it is known whose tools are searched. */
  readonly relatives: Groups;
  /** Words that say nothing about a tool. */
  readonly stopWords: readonly string[];
}
