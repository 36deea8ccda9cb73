import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchDocument } from '#contract/provider';
import type { SearchWords } from '#contract/search';
import { type Concept, createConcepts } from './concepts.ts';
import { wordsOf } from './words.ts';

/** A search document with the source of its tool. */
export interface ToolDocument extends SearchDocument {
  readonly provider: string;
  readonly providerTitle: string;
}

/** How much a word counts by where it stands. */
const boost = { tool: 3, title: 3, text: 1, parameters: 0.5, provider: 2 };

const bm25 = { k: 1.2, b: 0.5, d: 0.5 };

/** A word that is nowhere may be the beginning of one that is, or a slip of the pen. */
const inexact = { prefix: 0.3, fuzzy: 0.3 };

/** Postings that are read to find the tools that come into question; more takes longer and finds no more. */
const mostPostings = 500;

/** What is worth less beside the best match only takes room. */
const leastShare = 0.2;

/** So many documents are indexed before others get their turn. */
const chunkSize = 200;

/** Documents of tools, ranked by BM25 over their fields. */
export class ToolIndex {
  readonly #documents: readonly ToolDocument[];
  readonly #index: MiniSearch<ToolDocument & { readonly id: number }>;
  readonly #concepts: (words: readonly string[]) => readonly Concept[];
  readonly #stopWords: ReadonlySet<string>;
  /** In how many fields each word stands. */
  readonly #frequencies = new Map<string, number>();

  private constructor(documents: readonly ToolDocument[], { groups, stopWords }: SearchWords) {
    this.#documents = documents;
    this.#concepts = createConcepts(groups);
    this.#stopWords = new Set(stopWords.flatMap(wordsOf));
    this.#index = new MiniSearch({
      fields: Object.keys(boost),
      extractField: (document, field) =>
        field === 'provider'
          ? `${document.provider} ${document.providerTitle}`
          : document[field as keyof ToolDocument],
      tokenize: (text) => this.#indexedWords(text),
      processTerm: (word) => word,
    });
  }

  /** Make the index of these documents. */
  static async of(documents: readonly ToolDocument[], words: SearchWords): Promise<ToolIndex> {
    const made = new ToolIndex(documents, words);
    const numbered = documents.map((document, id) => ({ ...document, id }));
    await made.#index.addAllAsync(numbered, { chunkSize });
    return made;
  }

  /** The documents that have to do with a question, the best ones first, at most `limit`. */
  search(question: string, limit: number, provider?: string): readonly ToolDocument[] {
    const words = wordsOf(question);
    const telling = words.filter((word) => !this.#stopWords.has(word));
    const concepts = this.#concepts(telling.length > 0 ? telling : words);
    const wanted = new Map(concepts.flatMap((concept) => [...concept]));
    for (const concept of concepts)
      for (const [word, weight] of concept) raise(wanted, word, weight);
    const isEligible = this.#eligible(provider);
    const candidates = new Set(
      this.#run(this.#rarest(wanted), isEligible).map(({ id }) => id as number),
    );
    return this.#run(wanted, (id) => candidates.has(id))
      .map((result) => ({ id: result.id as number, score: scoreOf(result, concepts) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .filter(({ score }, _, [best]) => score >= leastShare * (best?.score ?? 0))
      .slice(0, limit)
      .flatMap(({ id }) => this.#documents[id] ?? []);
  }

  #indexedWords(text: string): string[] {
    const words = wordsOf(text).filter((word) => !this.#stopWords.has(word));
    for (const word of new Set(words)) {
      this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
    }
    return words;
  }

  #eligible(provider: string | undefined): (id: number) => boolean {
    if (provider === undefined) return () => true;
    return (id) => this.#documents[id]?.provider === provider;
  }

  /** The words with the fewest postings, what was asked for before what stands for it. */
  #rarest(words: Concept): Concept {
    const costs = [...words].map(([word, weight]) => {
      const cost = this.#frequencies.get(word) ?? 0;
      return { word, weight, cost, rank: cost / weight ** 2 };
    });
    let sum = 0;
    const rarest = new Map<string, number>();
    for (const { word, weight, cost } of costs.sort((a, b) => a.rank - b.rank)) {
      if (sum > 0 && sum + cost > mostPostings) break;
      sum += cost;
      rarest.set(word, weight);
    }
    return rarest;
  }

  #run(words: Concept, isEligible: (id: number) => boolean): readonly SearchResult[] {
    const isStrange = (word: string) => words.get(word) === 1 && !this.#frequencies.has(word);
    return this.#index.search([...words.keys()].join(' '), {
      tokenize: (text) => text.split(' '),
      boost,
      bm25,
      weights: inexact,
      boostTerm: (word) => words.get(word) ?? 1,
      // A document that is left out costs next to nothing.
      boostDocument: (id: number) => (isEligible(id) ? 1 : 0),
      prefix: (word) => isStrange(word) && word.length > 2,
      fuzzy: (word) => (isStrange(word) && word.length > 4 ? 1 : false),
    });
  }
}

/** MiniSearch multiplies by the words that were found; what counts is the things that they mean. */
function scoreOf({ score, queryTerms }: SearchResult, concepts: readonly Concept[]): number {
  const covered = concepts.filter((concept) => queryTerms.some((word) => concept.has(word)));
  return (score / queryTerms.length) * covered.length;
}

function raise(words: Map<string, number>, word: string, weight: number): void {
  words.set(word, Math.max(words.get(word) ?? 0, weight));
}
