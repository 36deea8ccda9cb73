import { distance } from 'fastest-levenshtein';
import MiniSearch, { type SearchResult } from 'minisearch';
import type { SearchDocument } from '#contract/provider';
import type { SearchWords } from '#contract/search';
import type { Concept } from './concepts.ts';
import { deedOf, obedience } from './deeds.ts';
import { type Asked, coverage, strengths } from './fit.ts';
import { pertinence } from './heads.ts';
import { agreement, exactness } from './naming.ts';
import { createReader, type Part, type Question } from './question.ts';
import { tokensOf, wordsOf } from './words.ts';

/** A search document with the source of its tool. */
export interface ToolDocument extends SearchDocument {
  readonly provider: string;
  readonly providerTitle: string;
}

/** Of which sources documents come into question. */
interface Among {
  readonly provider?: string | undefined;
  /** All of them where this is absent. */
  readonly has?: (source: string) => boolean;
}

const hasAll = () => true;

interface Ranked {
  readonly id: number;
  readonly document: ToolDocument;
  /** How much of the question it covers, from 0 to 1. */
  readonly fit: number;
  readonly score: number;
}

/** How much a word counts by where it stands. */
const boost = { tool: 3, title: 3, text: 1, parameters: 0.5, provider: 2 };

const bm25 = { k: 1.2, b: 0.5, d: 0.5 };

/** What a word counts that begins with a word that is nowhere, or differs from it by one letter. */
const resemblance = 0.3;

/** Postings that are read to find the tools that come into question; more takes longer and finds no more. */
const mostToFind = 500;

/** Postings that are read to rank those tools; only lists of common words have more. */
const mostToRank = 100_000;

/** A document that covers less of what was asked for does not answer it. */
const leastFit = 0.47;

/** What a tool counts that changes something though nobody has asked for that, and the other way round. */
const changingShare = 0.5;
const readingShare = 0.8;

/** What is worth less beside the best match only takes room. */
const leastShare = 0.2;

/** So many documents are indexed before others get their turn. */
const chunkSize = 200;

/** Documents of tools, ranked by BM25 over their fields. */
export class ToolIndex {
  readonly #documents: readonly ToolDocument[];
  readonly #index: MiniSearch<ToolDocument & { readonly id: number }>;
  readonly #read: (text: string) => Question;
  /** The same of a question to one vendor. */
  readonly #readWithin: (text: string) => Question;
  readonly #stopWords: ReadonlySet<string>;
  /** In how many fields each word stands. */
  readonly #frequencies = new Map<string, number>();
  /** The words of names and titles. */
  readonly #familiar: ReadonlySet<string>;

  private constructor(documents: readonly ToolDocument[], words: SearchWords) {
    this.#documents = documents;
    const vendors = new Set(
      documents.flatMap(({ provider, providerTitle }) => wordsOf(`${provider} ${providerTitle}`)),
    );
    this.#familiar = new Set(
      documents.flatMap(({ tool, title }) => wordsOf(`${tool} ${title}`)).concat(...vendors),
    );
    const isVendor = (word: string) => vendors.has(word);
    this.#read = createReader(words, isVendor);
    this.#readWithin = createReader(words, isVendor, words.relatives);
    this.#stopWords = new Set(words.stopWords.flatMap(wordsOf));
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

  /** The documents that answer a question, the best ones first, at most `limit`. */
  search(question: string, limit: number, among: Among = {}): readonly ToolDocument[] {
    const { provider } = among;
    const found = this.#ranked(question, among);
    // Whoever names the vendor knows that there is something.
    const answers = provider === undefined ? found.filter(({ fit }) => fit >= leastFit) : found;
    const least = leastShare * (answers[0]?.score ?? 0);
    const near = answers.filter(({ score }) => score >= least).slice(0, limit);
    return near.map(({ document }) => document);
  }

  /** The vendors that have most to do with a question, though none of their tools answers it. */
  nearest(question: string, limit: number, has: Among['has'] = hasAll): readonly string[] {
    const vendors = this.#ranked(question, { has }).map(({ document }) => document.provider);
    return [...new Set(vendors)].slice(0, limit);
  }

  #ranked(text: string, among: Among): readonly Ranked[] {
    // Names of one vendor are made alike: only among them it tells much what stands where.
    const isOne = among.provider !== undefined;
    const { parts, changes, many } = isOne ? this.#readWithin(text) : this.#read(text);
    const asked = parts.map((part) => this.#asked(part));
    const words = this.#cheapest(weightsOf(asked), mostToRank);
    const found = this.#run(words, this.#eligible(words, among)).flatMap((result) => {
      const document = this.#documents[result.id as number];
      if (!document) return [];
      const onlyReads = changes !== true && document.changes !== true;
      return [{ result, document, about: strengths(asked, result.match, onlyReads) }];
    });
    const things = asked.flatMap(({ kind, concept }) => (kind === 'thing' ? [concept] : []));
    const act = asked.find(({ kind }) => kind === 'action');
    const deed = act && changes ? deedOf(act.concept) : undefined;
    const vendors = Map.groupBy(found, ({ document }) => document.provider);
    const together = new Map(
      Array.from(vendors, ([id, tools]) => [id, strongestOf(tools.map(({ about }) => about))]),
    );
    return found
      .map(({ result, document, about }) => {
        const isApt = changes === undefined || changes === (document.changes === true);
        const inapt = changes ? readingShare : changingShare;
        const aptness = isApt ? 1 : inapt;
        const own = coverage(asked, about, document.takesWords === true);
        const shared = coverage(asked, together.get(document.provider) ?? about, false);
        const fit = Math.max(own, (own + shared) / 2) * (changes ? aptness : 1);
        const name = tokensOf(document.tool);
        const isAsked = (word: string) => Object.hasOwn(result.match, word);
        const isKnown = changes !== undefined;
        const vendor = wordsOf(document.provider);
        const exact = exactness(name, { vendor, isKnown, isAsked }) * agreement(name, many);
        const called = isOne ? pertinence(name, vendor, things) * obedience(name, deed) : 1;
        const score = scoreOf(result, about) * (changes ? 1 : aptness) * fit * exact * called;
        return { id: result.id as number, document, fit, score };
      })
      .sort((a, b) => b.score - a.score || a.id - b.id);
  }

  #asked(part: Part): Asked {
    const words = [...part.concept.keys()];
    const isFamiliar = words.some((word) => this.#familiar.has(word));
    const isGuessed = !words.some((word) => this.#frequencies.has(word));
    const concept = isGuessed ? this.#similar(part.concept) : part.concept;
    return { ...part, concept, isFamiliar, isGuessed };
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
  #eligible(words: Concept, { provider, has = hasAll }: Among): (id: number) => boolean {
    const sourceOf = (id: number) => this.#documents[id]?.provider ?? '';
    if (provider !== undefined) return (id) => sourceOf(id) === provider && has(provider);
    const ids = new Set<number>();
    this.#run(this.#cheapest(words, mostToFind), (id) => {
      if (has(sourceOf(id))) ids.add(id);
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
function scoreOf({ score, queryTerms }: SearchResult, about: readonly number[]): number {
  const covered = about.filter((each) => each > 0);
  return (score / queryTerms.length) * Math.sqrt(covered.length);
}

/** How far the best of them is about each part. */
function strongestOf(all: readonly (readonly number[])[]): readonly number[] {
  const [first = []] = all;
  return first.map((_, at) => Math.max(...all.map((about) => about[at] ?? 0)));
}

/** Each word with the most that it counts in one of the concepts. */
function weightsOf(parts: readonly Part[]): Concept {
  const weights = new Map<string, number>();
  for (const [word, weight] of parts.flatMap(({ concept }) => [...concept])) {
    weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  }
  return weights;
}

function resembles(known: string, word: string): boolean {
  if (word.length < 3) return false;
  if (known.startsWith(word)) return true;
  const isNear = word.length > 5 && Math.abs(known.length - word.length) <= 1;
  return isNear && distance(known, word) === 1;
}
