import { cleanText } from '../../../model/texts/clean-text.ts';
import { withoutSecrets } from '../../../model/texts/secret-text.ts';

/** "POST /things Make a thing": the request stands elsewhere. */
const request = /^(?:DELETE|GET|HEAD|PATCH|POST|PUT) \/\S*(?: [-–:])? ?/;

/** The stop of "e.g." ends no sentence. */
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|incl|vs))[.!?]+(?:\s|$)|[。！？｡]+/i;

/** "Compare faces (beta)": what it does is said before. */
const stage =
  /\s*(?:\((?:alpha|beta|experimental|preview)\)|\[(?:alpha|beta|experimental|preview)\])$/i;

/** Rows of tables, and code between fences. */
const besides = /^[ \t]*(?:\|.*$|(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1.*$|(?![\s\S])))/gm;

/** Notes beside the text: `> Mind the limits`. */
const quoted = /^[ \t]*>.*$/gm;
const quoteMarks = /^[ \t]*>[^\p{L}\p{N}\n]*/gmu;

/** A heading, or a paragraph that no full stop ends: what follows is another sentence. */
const unended = /(?<=[\p{L}\p{N})])[ \t]*(?:\n[ \t]*\n|(?<=^#+ .*)\n)\s*/gmu;

/** What begins a sentence that is a row of a table: "Access: any user". */
const label = /^[A-Z]\w*(?: \w+)?: /;

/** So many sentences of a text are looked at. */
const mostSentences = 8;

/** The first sentences of a text. */
export function sentencesOf(text: unknown): string[] {
  const all = phraseOf(text).split(sentenceEnd);
  return all.slice(0, mostSentences).map((sentence) => sentence.trim());
}

/** Whether a sentence is a name and what belongs to it, and says nothing of what is done. */
export function isLabelled(sentence: string): boolean {
  return label.test(sentence);
}

export function isWarning(text: string): boolean {
  return /^\W*(warning|note|important|please)\b|\b(beta|deprecated)\b/i.test(text);
}

/** Text without Markdown, what stands beside it and tags, on one line, without its full stop. */
export function phraseOf(text: unknown): string {
  const clean = withoutSecrets(cleanText(text) ?? '').replace(besides, '');
  const plain = clean.replace(quoted, '');
  const kept = plain.trim() === '' ? clean.replace(quoteMarks, '') : plain;
  return kept
    .replace(unended, '. ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(request, '')
    .replace(/^\W*deprecated\W+/i, '')
    .replace(/[.。｡]$/, '')
    .replace(stage, '');
}

/** Its words of three letters and more, in small letters. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}
