import type { SearchWords } from '#contract/search';

/** A `synonyms.yaml` that its JSON Schema accepts. */
export interface SynonymsFile
  extends Pick<SearchWords, 'actions' | 'forms' | 'groups' | 'relatives'> {
  readonly circumstances: readonly (readonly string[])[];
  readonly stop_words: readonly (readonly string[])[];
}

/** The words of the search over tools; single words are in lists only to be read more easily. */
export function planSearchWords(file: SynonymsFile): SearchWords {
  const { actions, forms, circumstances, groups, relatives, stop_words } = file;
  return {
    actions,
    forms,
    circumstances: [...new Set(circumstances.flat())],
    groups,
    relatives,
    stopWords: [...new Set(stop_words.flat())],
  };
}
