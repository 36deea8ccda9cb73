import { isObject } from '#contract/json';
import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { guessVersion } from '../guess/guess-version.ts';
import { answerList, membersOf } from '../guess/pages/answer-list.ts';
import { somebody } from './aside/rights.ts';
import { lesserOnes } from './lesser-ones.ts';
import { bodyMembers } from './operation-details.ts';
import type { OperationNature } from './operation-nature.ts';
import { nounOf, type OperationRole, roleOf, type Subject, subjectOf } from './operation-role.ts';

/** What a description says of how much an operation matters, each from 0 on. */
export interface Features {
  /** Operations at and below its resource, as a power of two. */
  readonly operations: number;
  /** Names that refer to its resource, as `customer_id` does, as a power of two. */
  readonly references: number;
  /** Operations whose summary or name speaks of its resource, as a power of two. */
  readonly mentions: number;
  /** Whether the title or the introduction of the description speaks of it. */
  readonly introduced: number;
  /** Parameters of the path before its resource. */
  readonly parents: number;
  /** Fixed parts of the path before its resource. */
  readonly depth: number;
  /** How late it stands in the description, from 0 to 1; 0.5 where the order is that of the alphabet. */
  readonly position: number;
  /** Whether it is about what users set up once or operators look after. */
  readonly secondary: number;
  /** How much is written about it. */
  readonly text: number;
  /** Whether it stands for itself, as `POST /translate` does: no list and no item belong to it. */
  readonly alone: number;
  /** Whether it searches everything at once. */
  readonly searchesAll: number;
  /**
   * Below how many resources something of this name stands, as comments do: a part of each. What stands below
   * none, as tracks do that albums and playlists have besides, is no part of anything.
   */
  readonly aspect: number;
  /** Words of its name before the last: invoices are more to most users than invoice templates. */
  readonly compound: number;
  /** Members of what a read answers, or of each item of a list, as a power of two. */
  readonly answered: number;
  /**
   * Operations and mentions of the resource below which it stands, as messages do below a conversation. What
   * changes something of a person gains nothing by it: ways to log in, say.
   */
  readonly above: number;
  /** By how much a read can be narrowed, the parameters of its query as a power of two. */
  readonly filters: number;
  /** What is sent with it where it changes something, as a power of two. */
  readonly sent: number;
  /** Whether it does less than another one: it reads a member of a thing, or adds to one what is made elsewhere. */
  readonly lesser: number;
  /**
   * Whether it is what people say to each other, as comments are, about what is most central of all about
   * which they do: all of it, or one more.
   */
  readonly spoken: number;
}

/** An operation with what decides how early a user needs it. */
export interface JudgedOperation {
  readonly nature: OperationNature;
  readonly subject: Subject;
  readonly role: OperationRole;
  readonly features: Features;
}

/** What users set up once, what operators look at, and what only tests use. */
const secondaryWords = new Set(
  `admin administration analytic audit auth authorization authorize availability beta billing cache callback
  capability certificate cluster configuration config credential cve debug default definition dev diagnostic
  experimental export feature flag gc health healthz import info integration internal issue key label ldap
  license limit live livez log login logout meta metadata metric oauth permission ping plan policy preference
  pricing privilege profile quota ready readyz role saml sandbox scim secret session setting sso stat
  statistic stats status sync system sysadmin tag telemetry template test token usage validate version
  webhook whoami workspace`.split(/\s+/),
);

/** What people say to each other about something, and ask an agent to read and to write. */
const spokenWords = new Set(['comment', 'message', 'note', 'reply']);

/** Ends of names that refer to something else. */
const referring = /^(?:ids?|[gu]?uid|gid|sid|pk|key|ref|reference|slug|name|number|token)$/;

/** So much of a description's introduction is about what it is for. */
const introductionCharacters = 600;

/** Judge the operations of a description, in its order. */
export function judgeOperations(
  document: ApiDocument,
  natures: readonly OperationNature[],
): readonly JudgedOperation[] {
  const known = natures.map((nature) => {
    const { operation, called, reads, content } = nature;
    const subject = subjectOf(called, Object.keys(guessVersion(document, operation)));
    const isMany = content === undefined && !subject.isItem && /s\/?$/.test(called.path);
    const isList = answerList(document, content) !== undefined || isMany;
    return { nature, subject, role: roleOf(called, subject, { reads, isList }) };
  });
  const references = referencesIn(document);
  const introduction = introductionOf(document);
  const mentions = mentionsOf(natures);
  const below = countBelow(known.map(({ subject: { key } }) => key));
  const roles = Map.groupBy(known, ({ subject: { key } }) => key);
  const keys = Map.groupBy(known, ({ subject: { noun } }) => noun);
  const mentioned = mostMentioned([...keys.keys()], mentions);
  const oftenListed = keysListed(known, mentions);
  const isSecondary = (word: string) => secondaryWords.has(word) && !mentioned.has(word);
  const isAlphabetical = [natures.map(({ operation: { path } }) => path), headings(natures)].some(
    inAlphabet,
  );
  const isLesser = lesserOnes(known);
  const judged = known.map(({ nature, subject, role }, index) => {
    const { key, noun, depth, parents, isItem } = subject;
    const upper = key.slice(0, Math.max(0, key.lastIndexOf('/{}/')));
    const count = (names: readonly unknown[]) => Math.log2(1 + names.length);
    const own = new Set((roles.get(key) ?? []).map((each) => each.role));
    const places = new Set((keys.get(noun) ?? []).map((each) => each.subject.key)).size;
    const isAside = pathWords(nature.operation, listedParts(key, oftenListed)).some(isSecondary);
    const isAlone =
      !(isAside && role === 'create') &&
      (role === 'act' || role === 'create') &&
      nature.operation.method === 'POST' &&
      !isItem &&
      parents === 0 &&
      depth < 3 &&
      below.get(key) === roles.get(key)?.length &&
      !own.has('list') &&
      !own.has('search') &&
      !own.has('get');
    const features = {
      operations: Math.log2(below.get(key) ?? 1),
      references: Math.log2(1 + (references.get(noun) ?? 0)),
      mentions: Math.log2(1 + mentions(noun)),
      introduced: Number(noun.split(' ').every((word) => introduction.has(word))),
      parents,
      depth: depth - 1,
      position: isAlphabetical ? 0.5 : index / natures.length,
      secondary: Number(isAside),
      text: Math.log2(1 + String(nature.operation.node['description'] ?? '').length / 100),
      alone: Number(isAlone),
      searchesAll: Number(role === 'search' && noun === 'search' && depth === 1 && !isItem),
      aspect: parents > 0 ? Math.log2(places) : 0,
      compound: noun.split(' ').length - 1,
      answered: nature.reads ? count(answeredMembers(document, nature)) : 0,
      above:
        upper === '' || (!nature.reads && somebody.test(lastNoun(upper)))
          ? 0
          : Math.log2(below.get(upper) ?? 1) + Math.log2(1 + mentions(lastNoun(upper))),
      filters: nature.reads ? count(inQuery(document, nature)) : 0,
      sent: nature.reads ? 0 : count(bodyMembers(document, nature.operation)),
      lesser: Number(isLesser(nature)),
      spoken: Number(spokenWords.has(noun) && !isItem),
    };
    return { nature, subject, role, features };
  });
  const central = mostAbove(judged.filter(({ features }) => features.spoken > 0));
  return judged.map((each) => {
    const { features } = each;
    const isCentral = features.spoken > 0 && features.above === central.get(saidIn(each));
    return { ...each, features: { ...features, spoken: Number(isCentral) } };
  });
}

/** How central that is below which each kind of thing is read, and is written, where it is most. */
function mostAbove(judged: readonly JudgedOperation[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(judged, saidIn);
  return new Map(
    [...groups].map(([kind, all]) => [
      kind,
      Math.max(...all.map(({ features }) => features.above)),
    ]),
  );
}

function saidIn({ nature, subject }: JudgedOperation): string {
  return `${subject.noun} ${nature.reads}`;
}

/** The words of the fixed parts of a path in small letters, the last of each part in the singular. */
function pathWords(
  { path }: Pick<ApiOperation, 'path'>,
  without: ReadonlySet<string>,
): readonly string[] {
  return path
    .split('/')
    .filter((part) => !part.startsWith('{'))
    .map(nounOf)
    .filter((noun) => !without.has(noun))
    .flatMap((noun) => noun.split(' '));
}

/** How often names refer to things of each kind, in a whole description. */
function referencesIn({ root }: ApiDocument): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const note = (name: string) => {
    const words = wordsOf(name).map((word) => word.toLowerCase());
    if (words.length < 2 || !referring.test(words.at(-1) ?? '')) return;
    const noun = nounOf(words.slice(0, -1).join('_'));
    found.set(noun, (found.get(noun) ?? 0) + 1);
  };
  const nodes: unknown[] = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      for (const each of node) nodes.push(each ?? null);
    } else if (isObject(node)) {
      if (isObject(node['properties'])) Object.keys(node['properties']).forEach(note);
      if (typeof node['in'] === 'string' && typeof node['name'] === 'string') note(node['name']);
      for (const [key, each] of Object.entries(node)) {
        if (!/^(?:examples?$|x-)/.test(key)) nodes.push(each ?? null);
      }
    }
  }
  return found;
}

function introductionOf({ root: { info } }: ApiDocument): ReadonlySet<string> {
  const text = String(info['description'] ?? '').slice(0, introductionCharacters);
  return nounsOf(`${String(info['title'] ?? '')} ${text}`);
}

/** Give what counts the operations that speak of something. */
function mentionsOf(natures: readonly OperationNature[]): (noun: string) => number {
  const places = new Map<string, Set<number>>();
  for (const [at, { operation }] of natures.entries()) {
    const { node, id } = operation;
    for (const noun of nounsOf(`${String(node['summary'] ?? '')} ${id ?? ''}`)) {
      const known = places.get(noun);
      if (known) known.add(at);
      else places.set(noun, new Set([at]));
    }
  }
  const none: ReadonlySet<number> = new Set();
  return (noun) => {
    const [first = none, ...others] = noun.split(' ').map((word) => places.get(word) ?? none);
    return others.reduce((both: ReadonlySet<number>, each) => both.intersection(each), first).size;
  };
}

/** What a description speaks of most is central to it, though others set it up once. */
function mostMentioned(
  nouns: readonly string[],
  mentions: (noun: string) => number,
): ReadonlySet<string> {
  const most = Math.max(...nouns.map(mentions));
  return new Set(nouns.filter((noun) => mentions(noun) === most));
}

/** Of every five kinds of things that are listed one is spoken of often, and of all no more than ten. */
const oftenOf = 5;
const mostOften = 10;

/** Where things are listed of which a description speaks often: there they are what it is about. */
function keysListed(
  known: readonly Pick<JudgedOperation, 'subject' | 'role'>[],
  mentions: (noun: string) => number,
): ReadonlySet<string> {
  const listed = known.flatMap(({ subject, role }) => (role === 'list' ? [subject] : []));
  const nouns = [...new Set(listed.map(({ noun }) => noun))];
  const often = new Set(
    nouns
      .toSorted((a, b) => mentions(b) - mentions(a))
      .slice(0, Math.min(mostOften, Math.floor(nouns.length / oftenOf))),
  );
  return new Set(listed.flatMap(({ key, noun }) => (often.has(noun) ? [key] : [])));
}

/** The nouns of a key where one of these keys ends. */
function listedParts(key: string, keys: ReadonlySet<string>): ReadonlySet<string> {
  const parts = key.split('/');
  return new Set(
    parts.filter((_, at) => keys.has(parts.slice(0, at + 1).join('/'))).map((part) => nounOf(part)),
  );
}

function lastNoun(key: string): string {
  return nounOf(key.split('/').findLast((part) => part !== '{}') ?? '');
}

function inQuery(document: ApiDocument, { operation }: OperationNature) {
  return parametersOf(document, operation).filter(({ in: place }) => place === 'query');
}

function answeredMembers(document: ApiDocument, { content }: OperationNature) {
  const answered = answerList(document, content)?.item ?? content?.schema;
  return answered ? membersOf(document, answered) : [];
}

/** How many of the keys are each key, or stand below it. */
function countBelow(keys: readonly string[]): ReadonlyMap<string, number> {
  const below = new Map<string, number>();
  for (const key of keys) {
    const parts = key.split('/');
    for (const at of parts.keys()) {
      const above = parts.slice(0, at + 1).join('/');
      below.set(above, (below.get(above) ?? 0) + 1);
    }
  }
  return below;
}

function nounsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(nounOf));
}

/** The first tags of the operations in the order of the description, each once in a row. */
function headings(natures: readonly OperationNature[]): readonly string[] {
  const tags = natures.map(({ operation: { node } }) =>
    String([node['tags']].flat()[0] ?? '').toLowerCase(),
  );
  const headings = tags.filter((tag, index) => tag !== tags[index - 1]);
  return headings.length < fewestHeadings ? ['b', 'a'] : headings;
}

/** Fewer headings stand in the order of the alphabet by chance. */
const fewestHeadings = 6;

/** Whether nearly all stand where the alphabet puts them: then their order says nothing. */
function inAlphabet(names: readonly string[]): boolean {
  const ordered = names.slice(1).filter((name, index) => (names[index] ?? '') <= name).length;
  return names.length < 2 || ordered / (names.length - 1) > 0.8;
}
