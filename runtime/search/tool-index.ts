import { distance } from 'fastest-levenshtein';
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

/** What a word counts that begins with a word that is nowhere, or differs from it by one letter. */
const resemblance = 0.3;

/** More words than a question has. */
const mostWords = 32;

/** Postings that are read to find the tools that come into question; more takes longer and finds no more. */
const mostToFind = 500;

/** Postings that are read to rank those tools; only lists of common words have more. */
const mostToRank = 100_000;

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
    const concepts = this.#conceptsOf(question);
    const words = this.#cheapest(weightsOf(concepts), mostToRank);
    return this.#run(words, this.#eligible(words, provider))
      .map((result) => ({ id: result.id as number, score: scoreOf(result, concepts) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .filter(({ score }, _, [best]) => score >= leastShare * (best?.score ?? 0))
      .slice(0, limit)
      .flatMap(({ id }) => this.#documents[id] ?? []);
  }

  #conceptsOf(question: string): readonly Concept[] {
    const words = wordsOf(question);
    const telling = words.filter((word) => !this.#stopWords.has(word));
    const concepts = this.#concepts((telling.length > 0 ? telling : words).slice(0, mostWords));
    return concepts.map((concept) => {
      const isKnown = [...concept.keys()].some((word) => this.#frequencies.has(word));
      return isKnown ? concept : this.#similar(concept);
    });
  }

  /** A word that is nowhere may be the beginning of one that is, or a slip of the pen. */
  #similar(concept: Concept): Concept {
    const similar = new Map(concept);
    for (const word of concept.keys()) {
      for (const known of this.#frequencies.keys()) {
        if (resembles(known, word)) similar.set(known, resemblance);
      }
    }
    return similar;
  }

  /** The documents to rank: those of the provider, or those with the rarest of the words. */
  #eligible(words: Concept, provider: string | undefined): (id: number) => boolean {
    if (provider !== undefined) return (id) => this.#documents[id]?.provider === provider;
    const ids = new Set<number>();
    this.#run(this.#cheapest(words, mostToFind), (id) => {
      ids.add(id);
      // It is enough to have seen it: only results cost memory.
      return false;
    });
    return (id) => ids.has(id);
  }

  #indexedWords(text: string): string[] {
    const words = wordsOf(text).filter((word) => !this.#stopWords.has(word));
    for (const word of new Set(words)) {
      this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
    }
    return words;
  }

  /**
   * The words with the fewest postings. What stands for a word may cost less than what was asked
   * for; one word that was asked for is always among them.
   */
  #cheapest(words: Concept, most: number): Concept {
    const costs = [...words].map(([word, weight]) => {
      const cost = this.#frequencies.get(word) ?? 0;
      return { word, weight, cost, rank: cost / weight ** 2 };
    });
    costs.sort((a, b) => a.rank - b.rank);
    const asked = costs.find(({ weight, cost }) => weight === 1 && cost > 0);
    let sum = asked?.cost ?? 0;
    const cheapest = new Map(asked && [[asked.word, asked.weight]]);
    for (const { word, weight, cost } of costs) {
      if (cheapest.size > 0 && sum + cost > most) break;
      if (word !== asked?.word) sum += cost;
      cheapest.set(word, weight);
    }
    return cheapest;
  }

  #run(words: Concept, isEligible: (id: number) => boolean): readonly SearchResult[] {
    return this.#index.search([...words.keys()].join(' '), {
      tokenize: (text) => text.split(' '),
      boost,
      bm25,
      boostTerm: (word) => words.get(word) ?? 1,
      boostDocument: (id: number) => (isEligible(id) ? 1 : 0),
    });
  }
}

/** MiniSearch multiplies by the words that were found; what counts is the things that they mean. */
function scoreOf({ score, queryTerms }: SearchResult, concepts: readonly Concept[]): number {
  const covered = concepts.filter((concept) => queryTerms.some((word) => concept.has(word)));
  return (score / queryTerms.length) * covered.length;
}

/** Each word with the most that it counts in one of the concepts. */
function weightsOf(concepts: readonly Concept[]): Concept {
  const weights = new Map<string, number>();
  for (const [word, weight] of concepts.flatMap((concept) => [...concept])) {
    weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  }
  return weights;
}

function resembles(known: string, word: string): boolean {
  if (word.length < 3) return false;
  if (known.startsWith(word)) return true;
  const isNear = word.length > 4 && Math.abs(known.length - word.length) <= 1;
  return isNear && distance(known, word) === 1;
}
