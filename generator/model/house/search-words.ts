import type { SearchWords } from '#contract/search';

/** A `synonyms.yaml` that its JSON Schema accepts. */
export interface SynonymsFile {
  readonly groups: readonly (readonly string[])[];
  readonly stop_words: readonly (readonly string[])[];
}

/** The words of the search over tools; stop words are in lists only to be read more easily. */
export function planSearchWords({ groups, stop_words }: SynonymsFile): SearchWords {
  return { groups, stopWords: [...new Set(stop_words.flat())] };
}
