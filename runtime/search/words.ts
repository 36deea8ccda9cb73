/** A word of a text in the form in which words are compared. */
export interface Token {
  readonly word: string;
  /** Written as names are: with a capital and small letters, or with a digit. */
  readonly isName: boolean;
  /** Not as an order is given: "assigned", "waiting". */
  readonly isForm: boolean;
  /** In the plural: "messages". */
  readonly isMany: boolean;
}

/** The words of a text in the form in which they are compared: lower case, without their endings. */
export function wordsOf(text: string): string[] {
  return tokensOf(text).map(({ word }) => word);
}

/** The same, with how they are written. */
export function tokensOf(text: string): Token[] {
  const written =
    text
      .normalize('NFKD')
      // Accents: people leave them out, and tools have none.
      .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
      .normalize('NFC')
      .replace(/\be-(?=mail)/gi, 'e')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return written.map((each) => ({
    word: stem(each.toLowerCase()),
    isForm: /(?:ed|ing)$/i.test(each),
    isMany: isPlural(each.toLowerCase()),
    isName: /^\p{Lu}.*\p{Ll}|\p{N}/u.test(each),
  }));
}

/** Cut the ending that makes no difference to what an English word is about. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutE(withoutTense(withoutNoun(singular(word))));
}

function isPlural(word: string): boolean {
  return word.length > 3 && /^[a-z]+$/.test(word) && singular(word) !== word;
}

function singular(word: string): string {
  if (/(ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** translation comes of translate. */
function withoutNoun(word: string): string {
  return word.length > 7 && word.endsWith('ation') ? word.slice(0, -3) : word;
}

function withoutTense(word: string): string {
  const [, body, ending] = /^(.{3,})(ing|ed)$/.exec(word) ?? [];
  if (body === undefined || ending === undefined || !/[aeiouy]/.test(body)) return word;
  // merged and merging come of merge, running of run.
  return /([bdgmnprt])\1$/.test(body) ? body.slice(0, -1) : body;
}

/** merge and merging have to end alike, and so have movie and movies. */
function withoutE(word: string): string {
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`;
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}
