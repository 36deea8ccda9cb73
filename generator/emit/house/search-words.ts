import type { SearchWords } from '#contract/search';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

const head = 'export const searchWords: SearchWords = ';

/** Print `generated/search-words.ts`: synonyms and stop words of the search over tools. */
export function emitSearchWords(words: SearchWords): EmittedFile {
  return printSourceFile({
    path: 'generated/search-words.ts',
    source: 'specs/search/synonyms.yaml',
    imports: [{ from: '#contract/search', types: ['SearchWords'] }],
    statements: [
      constant({
        name: 'searchWords',
        type: 'SearchWords',
        docs: ['The words of the search over tools, besides those of the tools.'],
        value: literal(words, { depth: 0, used: head.length, after: 1 }),
      }),
    ],
  });
}
