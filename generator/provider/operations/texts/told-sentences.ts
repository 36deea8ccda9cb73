import { cleanText, longestRead } from '../../../model/texts/clean-text.ts';
import { oncePerText } from '../../../model/texts/once-per-text.ts';
import { withoutSecrets } from '../../../model/texts/secret-text.ts';

/** "POST /things Make a thing": the request stands elsewhere. */
const request = /^(?:DELETE|GET|HEAD|PATCH|POST|PUT) \/\S*(?: [-–:])? ?/;

/** The stop of "e.g." ends no sentence. */
const sentenceEnd = /(?<!\b(?:e\.?g|i\.?e|incl|vs))[.!?]+(?:\s|$)|[。！？｡]+/i;

/** "Compare faces (beta)": what it does is said before. */
const stage =
  /\s*(?:\((?:alpha|beta|experimental|preview)\)|\[(?:alpha|beta|experimental|preview)\])$/i;

/** The same before it: "(Beta) Creates an experiment". */
const stageBefore =
  /^\W*(?:\((?:alpha|beta|experimental|preview)\)|\[(?:alpha|beta|experimental|preview)\])\W*/i;

/** What is left of the marks around a comment: a first or last line of slashes and stars. */
const commentMarks = /^\s*[/*]+[ \t]*\n|\n[ \t]*[/*]+\s*$/g;

/** Rows of tables, and code between fences. */
const besides = /^[ \t]*(?:\|.*$|(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1.*$|(?![\s\S])))/gm;

/** A picture, a badge above all, is no text: what stands for it says nothing of what is done. */
const pictures = /!\[[^\]\n]{0,300}\]\([^()\s]{0,2000}\)/g;

/** What a docstring of Python lists behind its text, in the ways of Google, NumPy and Sphinx. */
const listed =
  /(?<=\S\s*)^[ \t]*(?:(?:Args|Arguments|Attributes|Keyword Args|Kwargs|Param(?:eter)?s|Raises|Returns?|Yields)(?:[ \t]*:[ \t]*$|[ \t]*\n[ \t]*-{3,}[ \t]*$)|:(?:param|type|returns?|rtype|raises?)\b[^:\n]{0,80}:)[\s\S]*/m;

/** A heading that says no more than that a text follows: "### Endpoint Description". */
const headings =
  /^[ \t]*#{1,6}[ \t]*\**(?:(?:api|endpoint|function|method|operation|request|route)[ \t]+)?(?:about|description|details|information|introduction|overview|purpose|summary)\b[ \t]*:?\**[ \t]*$/gim;

/** Notes beside the text: `> Mind the limits`, and paragraphs that call themselves one. */
const quoted =
  /^[ \t]*>.*$|^[^\p{L}\p{N}\n]{0,6}(?:caution|important|notes?|warning)\b[ *_]*:[\s\S]*?(?=\n[ \t]*\n|(?![\s\S]))/gimu;
const quoteMarks = /^[ \t]*>[^\p{L}\p{N}\n]*/gmu;

/** A heading, a paragraph or what stands before a list that no full stop ends: what follows is another sentence. */
const unended =
  /(?<=[\p{L}\p{N})])\**[ \t]*(?:\n[ \t]*\n|(?<=^(?![ \t]*[-*+][ \t]).*)\n(?=[ \t]*[-*+][ \t])|(?<=^#+ .*)\n)\s*(?:[-*+][ \t]+)?/gmu;

/** What begins a sentence that is a row of a table: "Access: any user". */
const label = /^[A-Z]\w*(?: \w+)?: /;

/** What shows how a request is written, as "Sample Request curl -X GET https://api.acme.example/v1". */
const sample = /^(?:sample|example) (?:request|response|code|usage)\b|\bcurl -/i;

/** What a caller has to have: "Required scope: contacts:read", "It requires the scope: contacts", "Secured by: HR". */
const demanded =
  /^(?:secured by|(?:who )?(?:can|may) access):|^(?:\w+ )?(?:access|auth\w*|permissions?|privileges?|roles?|scopes?)\b[^.:]{0,20}:|\brequires? (?:the )?(?:permissions?|roles?|scopes?)\b|\b(?:permission|role|scope)s? (?:is|are) required\b/i;

/** Where more is said: "For details on the format, see the other endpoint". */
const elsewhere = /^for (?:(?:further|more) )?(?:details|information)\b/i;

/** Why it may not be done: "This operation can fail for the following reasons". */
const failing = /\b(?:call|endpoint|method|operation|request) (?:can|could|may|might|will) fail\b/i;

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

/** Whether a sentence says what a caller has to have, shows a request, or tells of errors or other texts, and not what is done. */
export function isForCallers(sentence: string): boolean {
  return [demanded, sample, failing, elsewhere].some((kind) => kind.test(sentence));
}

export function isWarning(text: string): boolean {
  return (
    /^\W*(warning|note|important|please)\b|\b(beta|deprecated)\b/i.test(text) || early.test(text)
  );
}

/** What says no more than how good an operation is by now. */
const early =
  /^(?:this|the) (?:\w+ )?is (?:currently |still )?(?:an? |in )?(?:alpha|early access|experimental|preview)\b/i;

/** Text without Markdown, what stands beside it and tags, on one line, without its full stop. */
export function phraseOf(text: unknown): string {
  return typeof text === 'string' ? phrase(text) : '';
}

const phrase = oncePerText((text) => {
  const seen = text.slice(0, longestRead).replace(pictures, '');
  const clean = withoutSecrets(cleanText(seen) ?? '')
    .replace(commentMarks, '')
    .replace(besides, '')
    .replace(headings, '')
    .replace(listed, '');
  const plain = clean.replace(quoted, '');
  const kept = plain.trim() === '' ? clean.replace(quoteMarks, '') : plain;
  return kept
    .replace(unended, '. ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(?<=[.!?])(?:<[^>]*>)+(?=\p{L})/gu, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*#]+/g, '')
    .replace(/(?<!\w)__([^_\n]+)__(?!\w)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(request, '')
    .replace(/^\W*deprecated\W+/i, '')
    .replace(/[.。｡]$/, '')
    .replace(stage, '')
    .replace(stageBefore, '');
});

/** Its words of three letters and more, in small letters. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}
