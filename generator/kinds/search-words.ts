import type { SearchWords } from '#contract/search';
import { planSearchWords, type SynonymsFile } from '../model/house/search-words.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** The words of the search over tools. */
export const searchWords = yamlKind<SynonymsFile, SearchWords>({
  name: 'search words',
  where: ['specs/search/synonyms.yaml'],
  schema: 'search-synonyms',
  plan: planSearchWords,
  async print(model) {
    const { emitSearchWords } = await import('../emit/house/search-words.ts');
    return [emitSearchWords(model)];
  },
});
