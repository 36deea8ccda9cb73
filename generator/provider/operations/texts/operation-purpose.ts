import type { ApiOperation } from '../../../model/schema/api-operations.ts';
import { shorten } from '../../../model/texts/clean-text.ts';
import { ownNameWords } from '../framework-names.ts';
import { isHarmless } from '../nature/said-to-act.ts';
import { isNameAgain, isRequest } from '../nature/told-summary.ts';
import { isChangingVerb, isMaking } from '../nature/verbs.ts';
import type { OperationDetails } from '../operation-details.ts';
import { uncounted } from '../told-apart.ts';
import { namedPurpose } from './named-purpose.ts';
import { requestOf, shortestPurpose, withRequest } from './request-told.ts';
import {
  isForCallers,
  isLabelled,
  isWarning,
  phraseOf,
  sentencesOf,
  wordSet,
} from './told-sentences.ts';

/** A summary of one word is the name of a thing, in the languages that have spaces. */
const oneWord = /^[A-Za-z]+$/;

const longest = 140;

/** What happens in one case says nothing of what is done in all of them: "If it is empty, all are meant". */
const conditional = /^(?:if [^,]+, |when [^,]+, if )/i;

/** A letter of Chinese, Japanese or Korean is a syllable or a word: four say what ten Latin ones do. */
const dense = /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]&&\p{L}]/gv;
const denseWorth = 2.5;

/** What is known of the texts of an operation beside those of others. */
interface Told {
  /** Others are described in the same words. */
  readonly isShared: boolean;
  /** Nobody wrote its summary: it is a frame or a word that others have, too ("The REST request for X()", "show"). */
  readonly isFramed: boolean;
  /** The same without the words that it shares with most others. */
  readonly called: ApiOperation;
}

/** So many words of a summary stand in most others, too, and hardly any besides: nobody wrote it. */
const frameWords = 6;
const frameShare = 0.7;
const fewestFramed = 5;

/** So many operations of one word have it from a framework, as the "index" and "show" of Rails. */
const fewestOfWord = 3;

/** Tell the operations whose summaries nobody wrote: one frame that is filled, or one word that others have, too. */
export function framedOnes(operations: readonly ApiOperation[]): ReadonlySet<ApiOperation> {
  const all = operations.map((operation) => {
    const words =
      phraseOf(operation.node['summary'])
        .toLowerCase()
        .match(/[\p{L}\p{N}()]+/gu) ?? [];
    return { operation, words };
  });
  const counts = new Map<string, number>();
  for (const { words } of all) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const ofOneWord = Map.groupBy(
    all.filter(({ words }) => words.length === 1),
    ({ words: [only] }) => only,
  );
  const least = Math.max(fewestFramed, all.length / 2);
  const framed = all.filter(({ words }) => {
    const common = words.filter((word) => (counts.get(word) ?? 0) >= least).length;
    return common >= frameWords && common >= frameShare * words.length;
  });
  const alike = [...ofOneWord.values()].filter(({ length }) => length >= fewestOfWord).flat();
  return new Set([...framed, ...alike].map(({ operation }) => operation));
}

/**
 * What an operation does, in one phrase: its summary, or else how its description begins. Where there
 * is no text, its name, its path, and what `detailsOf` tells of its arguments and its answer. A text
 * that `isShared` with other operations, as that of a class, comes behind the name.
 */
export function purposeOf(
  operation: ApiOperation,
  detailsOf: () => OperationDetails = () => ({ takes: [], gives: [] }),
  { isShared = false, isFramed = false, called = operation }: Partial<Told> = {},
): string {
  const { id } = operation;
  const { node } = called;
  // Some vendors write whole sentences where a name should stand, others a group before what is done.
  const isSentence = uncounted(id ?? '').includes(' ') && !id?.includes('#');
  const sentence = isSentence ? id : undefined;
  const isGrouped = sentence?.includes('_') ?? false;
  const told = sentencesOf(node['description']).filter(
    (found) => !isLabelled(found) && !isForCallers(found) && !conditional.test(found),
  );
  const named = phraseOf(sentence?.replaceAll('_', ' '));
  const isDescribed = told.some((found) => found.length >= shortestPurpose && !isWarning(found));
  const isAgain = isRequest(node['summary']) || (isDescribed && isNameAgain(node));
  const texts = [
    ...((isFramed && isDescribed) || isAgain ? [] : [summaryOf(called)]),
    ...(isGrouped ? [...told, named] : [named, ...told]),
  ];
  const candidates = texts.map((text) => withoutOwnName(text, String(node['operationId'] ?? '')));
  const fitting = candidates.filter((found) => found !== '' && !isWarning(found));
  // A summary of one word, as "CreatePayment", is the name once more.
  const text = fitting.find(isPhrase) ?? fitting[0];
  const isNamed = ownNameWords(called.id ?? '', called).length > 1;
  if (text !== undefined && isShared && isNamed) {
    const named = namedPurpose(called, detailsOf());
    const isNew = [...wordSet(text)].some((word) => !wordSet(named).has(word));
    return shorten(isNew ? `${named} (${text})` : withRequest(named, operation), longest);
  }
  if (text === undefined || ((id !== undefined || isFramed) && oneWord.test(text))) {
    const details = detailsOf();
    const made = namedPurpose(called, details);
    // Where the path alone tells what is done the verb is a guess, and the request shows of what.
    const shown = isNamed ? withRequest(made, operation) : `${made} (${requestOf(operation)})`;
    return shorten(shown + detailsText(details), longest);
  }
  return shorten(
    text.length < shortestPurpose ? `${text} (${requestOf(operation)})` : text,
    longest,
  );
}

/** "List Accounts Endpoint": a framework has made it of the name of a function. */
const functionEnd =
  /(?<=^(?:\p{Lu}[\p{L}\d]* ){1,}(?!(?:An?|By|For|From|In|Of|On|The|To|With)\b)\p{Lu}[\p{L}\d]*) Endpoint$/u;

/** "ListBeds is a visibility API to list beds": what follows says what is done. */
const kindOfItself =
  /^([A-Z]\w*) is an? (?:[\w-]+ ){0,3}(?:api|call|endpoint|method|rpc) (?:used )?to (?=\p{Ll})/iu;

/**
 * "ListBeds lists all beds", as comments of Go begin, or "ListBeds is an API to list beds", a command before it or not:
 * the name stands in the operationId.
 */
function withoutOwnName(text: string, id = ''): string {
  const ofKind = kindOfItself.exec(text);
  const [start = '', name = '', verb = ''] =
    ofKind ?? /^(?:[\w-]+: (?:[a-z\d_-]+ ){1,4})?([A-Z]\w*) (?=(\p{Ll}+)\b)/u.exec(text) ?? [];
  if (name === '' || (id !== name && !id.endsWith(`_${name}`))) return text;
  const isVerb = verb.endsWith('s') && !/^(?:does|has|is|was)$/.test(verb);
  if (!ofKind && !isVerb && !isHarmless(verb) && !isMaking(verb)) return text;
  return text.charAt(start.length).toUpperCase() + text.slice(start.length + 1);
}

/** A summary that has no room is a description: its first sentence says what is done, as before notes for callers. */
function summaryOf({ node, path }: ApiOperation): string {
  const whole = phraseOf(node['summary']);
  const [first = '', ...others] = sentencesOf(node['summary']);
  if (isForCallers(first)) return '';
  const isBegun = first.length >= shortestPurpose && !isLabelled(first);
  const isLong = whole.length > longest && others.length > 0;
  const summary = isBegun && (isLong || others.some(isNote)) ? first : whole;
  return /endpoint/i.test(path) ? summary : summary.replace(functionEnd, '');
}

/** The name of a function, with what it is about: "getPrice (spot market)". */
const ofFunction = /^[a-z]+[A-Z]\w*(?: \([^)]*\))?$/;

const besides = / \([^()]*\)$/;

function isNote(sentence: string): boolean {
  return isLabelled(sentence) || isForCallers(sentence);
}

/** Several words: Chinese and Japanese put no spaces between theirs. */
function isPhrase(text: string): boolean {
  if (ofFunction.test(text)) return false;
  const word = text.replace(besides, '');
  // "Create (Public)" says how, and not what.
  if (word !== text && isChangingVerb(word.toLowerCase())) return false;
  return text.includes(' ') || countDense(text) * denseWorth >= shortestPurpose;
}

function countDense(text: string): number {
  return text.match(dense)?.length ?? 0;
}

/** `: takes state; gives id, name`. */
function detailsText({ takes, gives }: OperationDetails): string {
  const parts = [
    takes.length > 0 ? `takes ${takes.join(', ')}` : [],
    gives.length > 0 ? `gives ${gives.join(', ')}` : [],
  ].flat();
  return parts.length > 0 ? `: ${parts.join('; ')}` : '';
}

/** Tell operations of one purpose apart by their requests: some vendors copy a text without reading it. */
export function unlikePurposes(
  told: readonly { readonly purpose: string; readonly operation: ApiOperation }[],
): readonly string[] {
  const alike = Map.groupBy(told, ({ purpose }) => purpose.toLowerCase());
  return told.map(({ purpose, operation }) => {
    const request = ` (${requestOf(operation)})`;
    const isOwn = alike.get(purpose.toLowerCase())?.length === 1 || purpose.includes(request);
    const room = longest - request.length;
    return isOwn || room < shortestPurpose ? purpose : shorten(purpose, room) + request;
  });
}
