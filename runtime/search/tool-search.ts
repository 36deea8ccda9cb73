import { namesOfSameStart, nearestName } from '#contract/nearest-name';
import { searchWords } from '../../generated/search-words.ts';
import type { Catalogue } from '../offer/catalogue.ts';
import { documentsOf } from './documents.ts';
import type { ToolDocument, ToolIndex } from './tool-index.ts';
import { wordsOf } from './words.ts';

export interface SearchOptions {
  readonly limit: number;
  /** Id of a source, to which the search is confined. */
  readonly provider?: string | undefined;
  /** Whether whoever searches has what a source offers; all of them where this is absent. */
  readonly has?: HasSource;
}

type HasSource = (source: string) => boolean;

const hasAll: HasSource = () => true;

const mostSuggestions = 3;

/** So many sources are named where nothing answers a question. */
const mostNearest = 3;

/** Finds tools of a catalogue by words. */
export class ToolSearch {
  readonly #catalogue: Pick<Catalogue, 'sources' | 'front'>;
  /** Of so many sources. */
  #index: { readonly sources: number; readonly made: Promise<ToolIndex> } | undefined;

  constructor(catalogue: Pick<Catalogue, 'sources' | 'front'>) {
    this.#catalogue = catalogue;
  }

  /** The sources of the tools that can be found. */
  get sources(): Catalogue['sources'] {
    const { sources, front } = this.#catalogue;
    return sources.filter((source) => source !== front);
  }

  /** What can be found, in the order of the catalogue. */
  documents(): Promise<readonly ToolDocument[]> {
    return documentsOf(this.sources);
  }

  /** What answers a question, the best first; nothing where nothing does. */
  async search(
    question: string,
    { limit, provider, has = hasAll }: SearchOptions,
  ): Promise<readonly ToolDocument[]> {
    return (await this.#open()).search(question, limit, { provider, has });
  }

  /** Ids of the sources that have most to do with a question. */
  async nearest(question: string, has?: HasSource): Promise<readonly string[]> {
    return (await this.#open()).nearest(question, mostNearest, has);
  }

  /** Names that somebody may have meant who wrote `name`. */
  async suggest(name: string, has = hasAll): Promise<readonly string[]> {
    const own = this.sources.filter(({ id }) => has(id));
    const names = own.flatMap(({ tools }) => tools.map(([each]) => each));
    // Models put the words in another order more often than they mistype them.
    const found = await this.search(name, { limit: mostSuggestions - 1, has });
    const near = nearestName(name, names) ?? [];
    const words = new Set(wordsOf(name));
    // A name that shares only one of several words with what was written is another thing.
    const akin = found.flatMap(({ tool }) => (shares(words, wordsOf(tool)) ? tool : []));
    const suggested = [...new Set(akin.concat(near))];
    return suggested.length > 0 ? suggested : namesOfSameStart(name, names, mostSuggestions);
  }

  /** Made when somebody searches, and again once there are more sources. */
  #open(): Promise<ToolIndex> {
    const { length } = this.#catalogue.sources;
    if (this.#index?.sources !== length) {
      const made = this.#make().catch((error) => {
        this.#index = undefined;
        throw error;
      });
      this.#index = { sources: length, made };
    }
    return this.#index.made;
  }

  async #make(): Promise<ToolIndex> {
    const [{ ToolIndex }, documents] = await Promise.all([
      import('./tool-index.ts'),
      this.documents(),
    ]);
    return ToolIndex.of(documents, searchWords);
  }
}

/** Whether more than half of the words are among the others. */
function shares(words: ReadonlySet<string>, others: readonly string[]): boolean {
  const shared = others.filter((word) => words.has(word));
  return new Set(shared).size * 2 > words.size;
}
