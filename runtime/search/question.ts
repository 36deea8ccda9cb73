import type { SearchWords } from '#contract/search';
import { type Concept, createConcepts } from './concepts.ts';
import { type Token, tokensOf, wordsOf } from './words.ts';

/**
 * What a part of a question is: a thing, which is what tools are found by; what is to be done with
 * it, in words that tools have or in others; how it is asked; when or where; a name, of which no tool
 * knows.
 */
export type PartKind = 'thing' | 'action' | 'order' | 'form' | 'circumstance' | 'name';

export interface Part {
  readonly concept: Concept;
  readonly kind: PartKind;
}

/** What somebody wants a tool for. */
export interface Question {
  readonly parts: readonly Part[];
  /** Whether something is to be changed; unknown of an order in a word that is no tool's. */
  readonly changes: boolean | undefined;
  /** The first thing of which several are asked for: "messages" of "show the messages of this room". */
  readonly many: string | undefined;
}

/** More parts than a question has. */
const mostParts = 32;

/** Words that stand in front of a thing: what stands in front of them is an order. */
const determiners = new Set(wordsOf('a an the this that these those my our me'));

/** What stands between a determiner and one of these is a thing, were it a verb elsewhere. */
const prepositions = new Set(wordsOf('of for in on from to with and by at'));

/** Whoever begins like this wants to know something, whatever verbs follow. */
const asking =
  /^\W*(?:what|which|when|where|who|whose|why|how|is|are|was|were|does|do|did|has|have|had)\b/i;

/**
 * Give what reads questions; `isVendor` says of a word whether a vendor is called so, and `relatives`
 * are further words that stand for each other.
 */
export function createReader(
  { actions, forms, circumstances, groups, stopWords }: SearchWords,
  isVendor: (word: string) => boolean,
  relatives: SearchWords['relatives'] = [],
): (text: string) => Question {
  const doings = [...actions.changing, ...actions.reading];
  const concepts = createConcepts([...doings, ...forms, ...groups, ...relatives]);
  const things = membersOf(groups);
  const changing = membersOf(actions.changing);
  const reading = membersOf(actions.reading);
  const asked = membersOf(forms);
  const whens = new Set(circumstances.flatMap(wordsOf));
  const stops = new Set(stopWords.flatMap(wordsOf));
  const kindOf = (phrase: string, token: Token | undefined, before?: string): PartKind => {
    // "Post a message" is an order, "a post" is a thing.
    const isOrder = before !== undefined && determiners.has(before);
    if (isVendor(phrase)) return 'thing';
    if (asked.has(phrase)) return 'form';
    if (isOrder && changing.has(phrase)) return 'action';
    if (things.has(phrase)) return 'thing';
    if (changing.has(phrase) || reading.has(phrase)) return 'action';
    if (whens.has(phrase)) return 'circumstance';
    if (isOrder) return 'order';
    return token?.isName === true ? 'name' : 'thing';
  };
  return (text) => {
    const tokens = tokensOf(text);
    const words = tokens.map(({ word }) => word);
    const parts: Part[] = [];
    const changed: boolean[] = [];
    const nouns = new Set<number>();
    let at = 0;
    for (const { concept, length } of concepts(words)) {
      const own = words.slice(at, at + length);
      const phrase = own.join(' ');
      const token = tokens[at];
      const from = at;
      at += length;
      if (stops.has(phrase) || parts.length >= mostParts) continue;
      const isNoun = length === 1 && standsAsNoun(words, from);
      const found =
        from === 0 ? firstKind(kindOf, phrase, token, words[at]) : kindOf(phrase, token);
      const kind = found === 'action' && isNoun ? 'thing' : found;
      if (isNoun && kind === 'thing') nouns.add(from);
      if (kind === 'action')
        changed.push(changing.has(phrase) && !reading.has(phrase) && token?.isForm === false);
      parts.push({ concept: kind === 'form' ? without(concept, own) : concept, kind });
    }
    const asks = asking.test(text);
    // A name such as Kubernetes is no plural.
    const many = tokens.find(
      (token, index) =>
        token.isMany &&
        (nouns.has(index) || kindOf(token.word, index > 0 ? token : undefined) === 'thing'),
    );
    // "Refund a payment" is an order, too, though a refund is a thing.
    const [first] = parts;
    const begins =
      first?.kind === 'order' || (first?.kind === 'thing' && determiners.has(words[1] ?? ''));
    const isOrdered = !asks && changed.length === 0 && begins;
    return {
      parts,
      many: many?.word,
      changes: isOrdered ? undefined : changed[0] === true && !asks,
    };
  };
}

/** "The deploys of this site", "start a scan". */
function standsAsNoun(words: readonly string[], at: number): boolean {
  const [before, after] = [words[at - 1], words[at + 1]];
  const isMeant = before !== undefined && before !== 'me' && determiners.has(before);
  return isMeant && (after === undefined || prepositions.has(after));
}

/** The first word of a sentence has a capital whatever it is. */
function firstKind(
  kindOf: (phrase: string, token: Token | undefined, before?: string) => PartKind,
  phrase: string,
  token: Token | undefined,
  next: string | undefined,
): PartKind {
  const isNumber = /\d/.test(phrase);
  return kindOf(phrase, isNumber ? token : undefined, next ?? '');
}

/** The members of these groups, in the form in which words are compared. */
function membersOf(groups: SearchWords['groups']): ReadonlySet<string> {
  return new Set(groups.flat().map((member) => wordsOf(member).join(' ')));
}

/** In a phrase such as "who was", none of its own words says what the whole says. */
function without(concept: Concept, own: readonly string[]): Concept {
  return new Map([...concept].filter(([word]) => !own.includes(word)));
}
