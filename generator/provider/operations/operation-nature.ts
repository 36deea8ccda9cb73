import { isObject } from '#contract/json';
import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import { smallWords } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type SuccessContent, successContent } from '../examples/success-content.ts';
import { answerList } from '../guess/pages/answer-list.ts';
import { movesNoMoney } from './aside/no-money.ts';
import { askedAlike } from './nature/asked-alike.ts';
import { asksForList } from './nature/asked-list.ts';
import { carriedAct } from './nature/carried-act.ts';
import { changesThing } from './nature/changed-things.ts';
import { deletesAmong, emptiesThing, turnsOff } from './nature/emptied-things.ts';
import { endsThing, madeThings } from './nature/ended-thing.ts';
import { isFollowed } from './nature/followed-link.ts';
import { takesNext } from './nature/goes-on.ts';
import { isHandedOut, isOffered } from './nature/handed-out.ts';
import { joinsChange } from './nature/joined-change.ts';
import { runsCode } from './nature/run-code.ts';
import { isHarmless, saysAct } from './nature/said-to-act.ts';
import { ownCalled } from './nature/shared-words.ts';
import { toldFirst } from './nature/told-summary.ts';
import {
  answeringElsewhere,
  arranging,
  asking,
  changing,
  destroying,
  destroyingElsewhere,
  destroyingVerbs,
  destructions,
  goingOn,
  isChangingVerb,
  isMaking,
  makingElsewhere,
  overwritingElsewhere,
  overwritingVerbs,
  reading,
  replacingVerbs,
  seldomVerbs,
} from './nature/verbs.ts';
import {
  fixedParts,
  joinedVerbs,
  ownName,
  searchRun,
  textsOf,
  verbAt,
  verbsOf,
  wordsOfAct,
} from './nature/verbs-of.ts';

/** What an end is no verb of. */
const endThings = /\bend[-_ ]?(?:user|point)|endUser|endPoint/i;

/** What is put away is found no more, for some vendors for good: one thing, or a batch of them. */
const putAway = /^\W*(?:bulk[- ])?archives? (?:an?|all|batch|multiple|one|several|the|this)\b/i;
const putAwayPath = /(?:\}|\/(?:batch|bulk))\/archive$|\/cards\/\{[^}]*\}\/(?:block|lock)$/;

/** What puts back what was kept writes over what is there now. */
const restoring =
  /\b(?:restore|revert)s?\b.{0,40}\b(?:backup|dump|snapshot)s?\b|\b(?:backup|dump|snapshot)s?\b.{0,40}\brestore\b/i;

/** How a description says that what is replaced goes on to be good. */
const sparing =
  /\b(?:remains?|stays?|keeps?|still|continues?)\b[^.]{0,40}\b(?:active|usable|valid|works?|working)\b|\bgrace period\b/i;

/** Words of a summary that may still be its verb ("Permanently delete", "Bulk-remove"). */
const leadingWords = 3;

/** What a scaffold has to know of an operation before it chooses. */
export interface OperationNature {
  readonly operation: ApiOperation;
  /** The same without the words of its path and its name that it shares with most others. */
  readonly called: ApiOperation;
  /** As far as its method and its names tell, it only reads. */
  readonly reads: boolean;
  /** By its method or its names, it takes away what may not come back. */
  readonly destroys: boolean;
  /** By its names, it writes over what is there, as PUT and PATCH do. */
  readonly overwrites: boolean;
  /** It runs what its caller has written, which may change anything. */
  readonly runs: boolean;
  readonly deprecated: boolean;
  /** It is called like what moves money, and moves none. */
  readonly movesNoMoney: boolean;
  readonly pathParameters: number;
  /** What it answers after a success, where that is JSON. */
  readonly content: SuccessContent | undefined;
}

/** Judge an operation by its method, its names and its answer. */
export function natureOf(document: ApiDocument, operation: ApiOperation): OperationNature {
  const { method } = operation;
  const called = ownCalled(document, operation);
  const { node } = called;
  const summary = toldFirst(node);
  const inPath = parametersOf(document, operation).filter(({ in: place }) => place === 'path');
  const act = method === 'DELETE' ? undefined : carriedAct(document, operation);
  const runs = method === 'POST' && runsCode(document, operation);
  const content = successContent(document, operation);
  const isNoun = method === 'GET' && summary === '' && listsUpdates(document, called, content);
  const isAsked = asksForList(document, called, summary, content);
  const reads =
    !runs &&
    (isNoun || onlyReads(called, summary, isAsked) || asksAlike(document, operation)) &&
    !(act === 'harmful' || (act && method === 'POST'));
  return {
    operation,
    called,
    reads,
    destroys:
      !reads && (method === 'DELETE' || act === 'harmful' || soundsDestroying(called, summary)),
    overwrites:
      !reads &&
      method === 'POST' &&
      (runs ||
        act !== undefined ||
        soundsOverwriting(called, summary) ||
        changesThing(called, summary)),
    runs,
    deprecated: node['deprecated'] === true || /\bdeprecated\b/i.test(summary.slice(0, 80)),
    movesNoMoney: movesNoMoney(document, operation),
    pathParameters: inPath.length,
    content,
  };
}

/** Whether a POST does what a GET at its place does, which only reads. */
function asksAlike(document: ApiDocument, operation: ApiOperation): boolean {
  const get = askedAlike(document, operation);
  return get !== undefined && onlyReads(ownCalled(document, get), toldFirst(get.node), false);
}

/** Whether nothing but a list is known of what a path calls an update, as a program has them. */
function listsUpdates(
  document: ApiDocument,
  operation: ApiOperation,
  content: SuccessContent | undefined,
): boolean {
  return (
    /^updates?$/i.test(fixedParts(operation).at(-1) ?? '') &&
    answerList(document, content) !== undefined
  );
}

/** A GET, or what asks by POST because its question is long: some APIs have nothing but POST. */
function onlyReads(operation: ApiOperation, summary: string, isAsked: boolean): boolean {
  const { method } = operation;
  // Safe by their definition, and answered without anything that a name could speak of (RFC 9110 section 9.2.1).
  if (['QUERY', 'HEAD', 'OPTIONS'].includes(method)) return true;
  if (method === 'GET') return !soundsChanging(operation, summary);
  return (
    method === 'POST' &&
    [summary, saidOf(operation, summary)].some((text) => soundsReading(operation, text, isAsked))
  );
}

/** What a text says is done: the summary, or the description where that is the name of the path alone. */
function saidOf({ node, path }: ApiOperation, summary: string): string {
  const words = smallWords(summary).map(singular);
  const named = new Set(smallWords(path).map(singular));
  const [first = ''] = words;
  const isDone = isKnownVerb(first) && !reading.has(first);
  if (isDone || !words.every((word) => named.has(word))) return summary;
  const [sentence = ''] = String(node['description'] ?? '').split(/[.\n]/, 1);
  const [verb = ''] = smallWords(sentence);
  return reading.has(singular(verb)) ? sentence : summary;
}

function singular(word: string): string {
  return word.replace(/s$/, '');
}

function isKnownVerb(word: string): boolean {
  return isMaking(word) || reading.has(word) || asking.has(word) || destroying.test(word);
}

/** Words that ask as a verb and are things as well: at the end of a long name they are these ("specifyCloudProviderInfo"). */
const askedThings = new Set(['count', 'filter', 'info', 'list', 'query']);

/** Names of so many words say at their beginning what is done. */
const longName = 4;

/** Whether nothing but a reading verb stands where names have their verb, of what may be known to be asked. */
function soundsReading(operation: ApiOperation, summary: string, isAsked: boolean): boolean {
  const [first = '', last = '', ofPath = '', told = ''] = verbsOf(operation, summary);
  const [ofPart = ''] = wordsOfAct(fixedParts(operation).at(-1) ?? '');
  const isLong = smallWords(operation.id ?? '').length >= longName;
  const ends = [last, ofPath].filter((verb) => !(isLong && askedThings.has(verb)));
  const named = [first, ofPart, told, ...ends];
  // What frameworks call after its method has its verb in the summary: `PostList` may create a list.
  const isMethod = first === operation.method.toLowerCase();
  // "List or create": what it does besides is no question.
  const joined = joinedVerbs(operation, summary).filter((verb) => !arranging.has(verb));
  // `transferGet` at `/transfer/get` is about transfers.
  const isThing = smallWords(fixedParts(operation).slice(0, -1).at(0) ?? '').includes(first);
  const all = [...(isMethod || isThing ? [] : [first]), last, ofPath, ofPart, told];
  const done = searchRun.test(summary) ? all.filter((verb) => !handing.test(verb)) : all;
  return (
    !pays(operation) &&
    !isHandedOut(operation, summary) &&
    !isOffered(summary) &&
    !onlyMakes(operation) &&
    !broughtFrom.test(smallWords(operation.id ?? summary).join(' ')) &&
    !takesNext(operation, `${summary} ${operation.node['description'] ?? ''}`) &&
    ((isMethod ? [told] : named).some((verb) => asking.has(verb)) ||
      (told === first && showing.has(told)) ||
      isAsked ||
      answeringElsewhere.test(summary) ||
      (tellsAnswer.test(summary) && !isReturned(operation))) &&
    !makingElsewhere.test(summary) &&
    ![...done, ...joined].some(isMaking) &&
    !soundsDestroying(operation, summary) &&
    !soundsDestroying(operation, String(operation.node['summary'] ?? ''))
  );
}

/** What else only reads where the name and the text agree on it: `show`, "Show the details of a model". */
const showing = new Set(['describe', 'show', 'view']);

/** How a text begins that tells of nothing but the answer: "Returns the prices of a game". */
const tellsAnswer = /^(?:(?:this )?(?:method|endpoint|operation) (?:that |which )?)?returns\b/i;

/** Whether something is given back to whoever has handed it in: `/submissions/{id}:return`. */
function isReturned({ path }: ApiOperation): boolean {
  return /[/.:]return$/.test(path);
}

/** What begins a payment where a POST goes to it: the name of its function may be `get_checkout_session`. */
const paying = /^(?:charge|checkouts?|payout|purchase|refund|withdraw(?:al)?)$/;

function pays(operation: ApiOperation): boolean {
  const parts = fixedParts(operation).map((part) => smallWords(part));
  const last = parts.at(-1) ?? [];
  const isAsked = asking.has(last[0] ?? '') || asking.has(last.at(-1) ?? '');
  if (isAsked) return false;
  // Whether a card is good is asked of its bank, which books something to see.
  const isProof = /^(?:authorize|verify)$/.test(last.at(-1) ?? '');
  const words = parts.flat();
  return words.some((word) => paying.test(word) || (isProof && /^(?:billing|cards?)$/.test(word)));
}

/** Whether all that is described of a success is that something has been made, or will be: Nest says so of every POST. */
function onlyMakes({ id = '', node }: ApiOperation): boolean {
  if (/Controller_/.test(id)) return false;
  const responses = isObject(node['responses']) ? node['responses'] : {};
  const successes = Object.keys(responses).filter((status) => /^2/.test(status));
  return successes.length > 0 && successes.every((status) => /^20[1245]$/.test(status));
}

/**
 * Whether a changing verb stands where names have their verb: vendors delete by GET, too. What is safe
 * by its method (RFC 9110, section 9.2.1) stays so where its text says that it reads, and where a word
 * may as well be none.
 */
function soundsChanging(operation: ApiOperation, summary: string): boolean {
  const [first = '', last = '', ofPath = '', told = ''] = verbsOf(operation, summary);
  const isDestroying = (verb: string) => destroying.test(verb);
  if (joinedVerbs(operation, summary).some(isDestroying)) return true;
  if (joinsChange(summary) || besidesReading.test(textsOf(operation))) return true;
  if (isFollowed(operation, told)) return true;
  if (ofAll.test(smallWords(fixedParts(operation).at(-1) ?? '').join(' '))) return true;
  if (onPaper.test(summary)) return true;
  if (isCalledAct(operation)) return true;
  if (searchRun.test(summary)) return false;
  // Frameworks name after its method what a text says is done: `getPing`, "Send a ping".
  if (reading.has(first)) return first === 'get' && saysAct(summary) && !askedFor.test(summary);
  if (turnsOff(operation, '')) return true;
  if (doneTo.test(summary) || destroyingElsewhere.test(summary)) return true;
  const verbs = [first, last, ofPath, told];
  if (reading.has(told) || isHarmless(told))
    return verbs.some(isDestroying) && !takenAway.test(summary);
  const clear = [last, ofPath].filter((verb) => !seldomVerbs.has(verb));
  const isState = askedFor.test(summary) || stateFirst.test(summary);
  const named = smallWords(ownName(operation));
  if (!isState && !isHarmless(told) && !named.some((word) => reading.has(word))) {
    // `vault-generate-credentials` has its verb where others have it behind what they are about.
    if (saysAct(summary) || named.some((_, at) => isChangingVerb(verbAt(named, at)))) return true;
  }
  const own = isState ? [first] : [first, told];
  return [...own, ...clear].some((verb) => changing.has(verb) || isDestroying(verb));
}

/** Whether a path ends in an act that standards set apart from things: `/charges/{id}/$credit`. */
function isCalledAct({ path }: ApiOperation): boolean {
  const [verb = ''] = smallWords(/\/\$([\w-]+)$/.exec(path)?.[1] ?? '');
  return isMaking(verb) || goingOn.has(verb);
}

/** How a text begins that has a device print, which is more than to show something. */
const onPaper = /^\W*(?:re-?)?prints? [^.]*\bprinters?\b/i;

/** What is brought here from there, where names have what is answered behind "fetch": `fetchFromAllFeeds`. */
const broughtFrom = /^(?:download|fetch|load|read|retrieve) from\b/;

/** The last part of a path that says what is done with all there is: `/connections/close_all`. */
const ofAll = /^(?:abort|cancel|clear|close|drop|flush|kill|reset|restart|stop|terminate) all\b/;

/**
 * Verbs that are things as well ("Place details", "Vote count"), and what makes verbs of them: that they
 * are done to something.
 */
const doneTo =
  /^(?:acquire|book|charge|consume|decrement|increment|order|place|purchase|reserve|spend|toggle|vote)s? (?:an?|the|all|one|this|that|your|my|for)\b/i;

/** What else happens to whoever only asks, as texts tell it. */
const besidesReading =
  /\b(?:each|every|this) (?:call|request) (?:also )?(?:consumes|creates|deletes|increments|invalidates|marks|removes|resets|revokes)\b|\b(?:old|previous|existing) (?:\w+ ){1,3}(?:is|are|will be|gets?) (?:deleted|invalidated|removed|revoked)\b/i;

/** How a text begins that asks for what is made up for it alone, or for a document ("OpenAPI specification"). */
const askedFor =
  /^(?:generate|request)s? (?!.*\b(?:and|codes?|credentials?|keys?|new|passwords?|secrets?|to|tokens?)\b)|^open[- ]?api\b/i;

/** How a text begins that tells how something is: "Complete health check", "OpenID configuration". */
const stateFirst =
  /^(?:complete|open)[- ](?!(?:all|an?|every|it|my|one|that|the|this|your)\b)\w|^close (?:of|prices?|quotes?|values?)\b|^openid\b/i;

/** How texts tell of what was taken away before: "List orders that were cancelled". */
const takenAway = /\b(?:cancell?|delet|destroy|eras|purg|remov|revok|wip)ed\b/i;

/** How a search is handed in that takes its time. */
const handing = /^(?:execute|run|start|submit)$/;

/** Whether a name or the summary says that something is taken away, where nothing is promised. */
function soundsDestroying(operation: ApiOperation, summary: string): boolean {
  const verbs = verbsOf(operation, summary);
  const [first = ''] = verbs;
  // `createContentBlock` ends in what it creates.
  const hasVerb = first !== 'post' && (changing.has(first) || reading.has(first));
  const named = [
    ...smallWords(operation.id ?? ''),
    ...fixedParts(operation).flatMap((part) => smallWords(part)),
  ];
  const told = [...smallWords(summary).slice(0, leadingWords), ...joinedVerbs(operation, summary)];
  const words = [...named, ...told];
  const isSpared = sparing.test(textsOf(operation));
  const isOfEnds = endThings.test(`${operation.id ?? ''} ${summary}`);
  const takesAway = (verb: string) =>
    destroyingVerbs.has(verb) &&
    !(isSpared && replacingVerbs.has(verb)) &&
    !(isOfEnds && verb === 'end');
  // `createLeave` at `/leave` makes one.
  const isOther = (verb: string, index: number) =>
    (hasVerb && index === 1) || (index === 2 && madeThings.has(verb) && isNew(verbs));
  return (
    words.some((word) => destroying.test(word)) ||
    turnsOff(operation, summary) ||
    emptiesThing(operation) ||
    endsThing(operation, (verb) => takesAway(verb) && (!hasVerb || verb === first)) ||
    deletesAmong(textsOf(operation)) ||
    restoring.test(`${summary} ${operation.path}`) ||
    putAway.test(summary) ||
    putAwayPath.test(operation.path) ||
    destroyingElsewhere.test(summary) ||
    verbs.some((verb, index) => takesAway(verb) && !isOther(verb, index)) ||
    (!verbs.some((verb) => asking.has(verb)) && words.some((word) => destructions.test(word)))
  );
}

function isNew([first = '', , , told = '']: readonly string[]): boolean {
  return /^(?:add|create|insert|new|register)$/.test(first) || /^(?:add|create)$/.test(told);
}

/** How a text begins that joins this to what it does first ("Create or replace"), or goes on to say what becomes of what is there. */
const orElse = /^[^.\n]*?\b(?:or|and) (?:edit|modif[iy]|overwrit|replac|updat|upsert)/i;
const toldOver =
  /\b(?:is|are|be|gets?) (?:overwritten|replaced)\b|\b(?:overwrites|replaces) (?:an?|the|any|all|existing)\b/i;

/** How it says that something is as it was before, and that all there are of a kind are changed. */
const takenBack =
  /\brestores? .{0,60}\b(?:earlier|former|previous|prior|specific|specified) (?:point|revision|state|version)\b/i;
const ofEach = /^\W*(?:change|mark|move|set)s? all\b/i;

/** Whether a name has the verb of what writes over something where names have their verb, or a text says so. */
function soundsOverwriting(operation: ApiOperation, summary: string): boolean {
  const told = `${summary} ${operation.path}`;
  if (orElse.test(summary) || toldOver.test(textsOf(operation)) || takenBack.test(told))
    return true;
  if (ofEach.test(summary) || overwritingElsewhere.test(summary)) return true;
  const verbs = verbsOf(operation, summary);
  const [first = ''] = verbs;
  // `createUpdate` makes one.
  const hasVerb = changing.has(first) || reading.has(first);
  return verbs.some((verb, index) => overwritingVerbs.has(verb) && !(hasVerb && index === 1));
}
