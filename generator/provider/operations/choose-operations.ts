import type { ApiDocument } from '../../read/document/api-document.ts';
import { answerForm, answerTypes } from '../guess/answer-form.ts';
import { answerList } from '../guess/pages/answer-list.ts';
import { heldBack, stopReason } from './held-back.ts';
import type { OperationNature } from './operation-nature.ts';
import { saysToMake } from './operation-role.ts';
import { type Twin, takesBody } from './operation-twins.ts';
import { type Features, type JudgedOperation, judgeOperations } from './resource-centrality.ts';

/** Operations that a scaffold switches on. */
export const mostSwitchedOn = 20;

/** How many of them may change something before all that reads has its place. */
export const mostWrites = 6;

/** How many that stand for themselves may come with them, though they would come later. */
const mostAlone = 2;

/** So many places are kept for what changes something and would come behind all of them. */
const keptForWrites = 2;

/**
 * How much each of what a description says counts. They were found on the descriptions of sixteen
 * vendors, with the ten operations of each that its users do most, and hold on those of ten others.
 */
const weights: Readonly<Record<keyof Features, number>> = {
  operations: 0.7,
  references: 0.45,
  mentions: 0.8,
  introduced: 1.1,
  parents: -0.7,
  depth: -0.85,
  position: -1.3,
  secondary: -2.2,
  text: 0.4,
  alone: 1.1,
  searchesAll: 5,
  aspect: -0.4,
  compound: -0.3,
  answered: 0.1,
  above: 0.3,
  filters: 0.5,
  sent: 0.3,
  lesser: -3,
  spoken: 2.5,
};

const roleWeights: Readonly<Record<JudgedOperation['role'], number>> = {
  search: 1.2,
  list: 1.2,
  get: 0.6,
  create: 0.8,
  act: 0.2,
  other: 0,
};

/** By how much each operation of a resource that is chosen already comes later. */
const repetition = 0.6;

/** The same of what has its name elsewhere: the files of a project and those of a task are files. */
const likeness = 0.5;

/** How much later comes what asks by POST for what a GET with a body gives: many of these are no first questions. */
const longer = 0.8;

/** The order in which a user needs the operations of a description. */
export interface Ranking {
  /** Those to begin with: all that only read, and a few that create. */
  readonly first: readonly OperationNature[];
  /** The others, in document order. */
  readonly others: readonly OperationNature[];
}

/**
 * Order the operations by how likely an agent needs them: searching, listing, reading and creating
 * what is central to the vendor comes first. What is central tells the description: how much can be
 * done with it, how often it is referred to and spoken of, and how deep and how late it stands.
 * Where nothing reads, nothing is first.
 */
export function rankOperations(
  document: ApiDocument,
  natures: readonly OperationNature[],
  twins: ReadonlyMap<OperationNature, Twin>,
  asides: ReadonlySet<OperationNature> = new Set(),
): Ranking {
  // That is a word about the whole API then, and tells none from another.
  const isOld = mostAreOld(natures);
  const possible = judgeOperations(document, natures)
    .filter(({ nature }) => !twins.has(nature) && !asides.has(nature))
    .filter((each) => (isOld || !each.nature.deprecated) && isCandidate(each));
  const long = new Set([...twins].flatMap(([left, { of }]) => (takesBody(left) ? [of] : [])));
  const useful = possible.filter((each) => !isHousekeeping(document, each));
  const hasReads = useful.filter(({ nature }) => nature.reads).length >= fewestReads;
  const candidates = (hasReads ? useful : possible)
    .map((judged) => ({
      ...judged,
      score: scoreOf(judged) - (long.has(judged.nature) ? longer : 0),
    }))
    .sort((a, b) => b.score - a.score);
  const ordered = byAnswer(document, candidates, isUntold(document, natures));
  const alone = new Set(
    candidates.filter(({ features }) => features.alone > 0).map(({ nature }) => nature),
  );
  const writes = ordered.filter(({ reads }) => !reads);
  // What stands for itself, as a translation, makes nothing that stays: it fills what room there is.
  const late = writes.slice(mostWrites).filter((each) => alone.has(each));
  const few = new Set([...writes.slice(0, mostWrites), ...late.splice(0, mostAlone)]);
  const isRead = ordered.some(({ reads }) => reads);
  const begun = ordered.filter((each) => each.reads || few.has(each));
  const first = isRead ? [...withWrites(begun), ...late] : [];
  const chosen = new Set(first);
  return { first, others: natures.filter((nature) => !chosen.has(nature)) };
}

/**
 * Whether what is deprecated is all that there is, or nearly all that reads: what takes its place stands
 * in another description.
 */
function mostAreOld(natures: readonly OperationNature[]): boolean {
  const reads = natures.filter(({ reads }) => reads);
  const left = reads.filter(({ deprecated }) => !deprecated).length;
  const isLeftOver =
    left < fewestReads && reads.length - left > 2 * left && reads.length - left > 2;
  return natures.every(({ deprecated }) => deprecated) || isLeftOver;
}

/** Let the last places be for what changes something, were there more that reads than has a place. */
function withWrites(ordered: readonly OperationNature[]): readonly OperationNature[] {
  const early = ordered.slice(0, mostSwitchedOn - keptForWrites);
  const rest = ordered.slice(early.length);
  return [...early, ...rest.filter(({ reads }) => !reads), ...rest.filter(({ reads }) => reads)];
}

/** Paths that end so say how parts of a server are, or were set up. */
const ofServer = /(?:^|\/)(?:health|ping|status)\/[^/{}]+\/?$|[^/]\/config(?:uration)?\/?$/i;

/** Whether a read is for whoever looks after the server: where others read, no agent begins with it. */
function isHousekeeping(document: ApiDocument, { nature, features }: JudgedOperation): boolean {
  const { operation, reads, pathParameters, content } = nature;
  return (
    reads &&
    features.secondary > 0 &&
    operation.method === 'GET' &&
    pathParameters === 0 &&
    ofServer.test(operation.path) &&
    answerList(document, content) === undefined
  );
}

type Scored = JudgedOperation & { readonly score: number };

/**
 * Reads that answer JSON and all writes first, then reads that answer text; where these are few, those
 * that do not say what they answer.
 */
function byAnswer(
  document: ApiDocument,
  candidates: readonly Scored[],
  noneTells: boolean,
): readonly OperationNature[] {
  const listed = new Set(candidates.flatMap(collectionsOf));
  const isFirst = ({ nature: { reads, content, operation } }: Scored) =>
    noneTells ||
    !reads ||
    content !== undefined ||
    (listed.has(operation.path) && answerForm(document, operation) === undefined);
  const others = candidates
    .filter((each) => !isFirst(each))
    .filter(({ nature }) => !pages.test(nature.operation.path));
  const isText = ({ nature }: Scored) => hasAnswer(document, nature);
  const told = [...spread(candidates.filter(isFirst)), ...spread(others.filter(isText))];
  if (told.filter(({ reads }) => reads).length >= fewestReads) return told;
  const isFile = ({ nature: { operation } }: Scored) =>
    answerForm(document, operation) === 'binary';
  return [...told, ...spread(others.filter((each) => !isText(each) && !isFile(each)))];
}

/**
 * Where things are listed of which one says what it answers: what is forgotten of the list is known from that, and
 * who cannot list them finds no id of any.
 */
function collectionsOf({ nature: { operation, reads, content } }: Scored): readonly string[] {
  const [, collection] = /^(.*[^/}])\/\{[^/{}]+\}$/.exec(operation.path) ?? [];
  return reads && content !== undefined && operation.method === 'GET' && collection !== undefined
    ? [collection]
    : [];
}

/** Candidates about the same thing, the best of them last, and how often that thing and its like were taken. */
interface Likes {
  readonly waiting: (Scored & { readonly place: number })[];
  readonly same: Count;
  readonly alike: Count;
}

interface Count {
  taken: number;
}

/**
 * Take the best each time, of which what is like one that was taken before counts less. Those about
 * the same thing count less together, so that one of them is looked at for all: there may be tens of
 * thousands.
 */
function spread(candidates: readonly Scored[]): readonly OperationNature[] {
  let groups = likesOf(candidates);
  return candidates.map(() => {
    let best: Likes | undefined;
    let first: Likes['waiting'][number] | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const group of groups) {
      const head = group.waiting.at(-1) as Likes['waiting'][number];
      const [same, alike] = [group.same.taken, group.alike.taken];
      const score = head.score - repetition * same - likeness * (alike - same);
      if (score < most || (score === most && first && first.place < head.place)) continue;
      [best, first, most] = [group, head, score];
    }
    const { waiting, same, alike } = best as Likes;
    const chosen = waiting.pop() as Scored;
    if (waiting.length === 0) groups = groups.filter((group) => group !== best);
    same.taken++;
    alike.taken++;
    return chosen.nature;
  });
}

function likesOf(candidates: readonly Scored[]): readonly Likes[] {
  const counts = new Map<string, Count>();
  const countOf = (name: string) => {
    const count = counts.get(name) ?? { taken: 0 };
    counts.set(name, count);
    return count;
  };
  const placed = candidates.map((each, place) => ({ ...each, place })).reverse();
  const groups = Map.groupBy(placed, ({ subject: { key, noun } }) => `${key}\n${noun}`);
  return Array.from(groups.values(), (waiting) => {
    const { key, noun } = (waiting[0] as Scored).subject;
    return { waiting, same: countOf(key), alike: countOf(` ${noun}`) };
  });
}

/** So few of the reads say what they answer, of one that does not expect it of any. */
const fewestTold = 0.25;

/**
 * Whether a description says of next to no read what it answers, as those do that frameworks make of
 * code without types: then that it says nothing is no sign of anything.
 */
export function isUntold(document: ApiDocument, natures: readonly OperationNature[]): boolean {
  const reads = natures.filter(({ reads, operation }) => reads && operation.method === 'GET');
  const told = reads.filter(({ operation }) => answerTypes(document, operation).length > 0);
  return reads.length > 0 && told.length < fewestTold * reads.length;
}

/** With fewer reads that say what they answer, those that do not are switched on besides. */
const fewestReads = 5;

/** What shows a page to people, or leads them through one. */
const pages = /\/(?:api-)?(?:auth|docs?|documentation|swagger)(?:[/.-]|$)|oauth|callback|redirect/i;

/** Whether a description says what an operation answers, as JSON or as a text. */
export function hasAnswer(document: ApiDocument, nature: OperationNature): boolean {
  if (nature.content !== undefined) return true;
  const form = answerForm(document, nature.operation);
  return form !== undefined && form !== 'binary';
}

/** Why an operation is off that makes or stops something, where a person has to say first that agents may do that. */
export function heldReason({
  reads,
  destroys,
  called,
  movesNoMoney,
}: OperationNature): string | undefined {
  if (reads || called.method !== 'POST') return undefined;
  return destroys ? stopReason(called) : heldBack(called, movesNoMoney);
}

function isCandidate({ nature, role }: JudgedOperation): boolean {
  const { reads, destroys, operation, called, movesNoMoney } = nature;
  if (destroys || ['HEAD', 'OPTIONS'].includes(operation.method)) return false;
  if (!reads) {
    const isMaking = role === 'create' || role === 'act';
    const isCreating = isMaking && (!nature.overwrites || saysToMake(operation));
    return isCreating && heldBack(called, movesNoMoney) === undefined;
  }
  return !takesBody(nature);
}

function scoreOf({ features, role }: JudgedOperation): number {
  const names = Object.keys(weights) as (keyof Features)[];
  return names.reduce((sum, name) => sum + weights[name] * features[name], roleWeights[role]);
}
