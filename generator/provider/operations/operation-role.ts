import type { ApiOperation } from '../../model/schema/api-operations.ts';
import { requestPath } from '../../model/schema/api-operations.ts';
import { wordsOf } from '../../model/texts/names.ts';
import { oncePerText } from '../../model/texts/once-per-text.ts';

/** What an operation does with its resource, as far as its method and its path tell. */
export type OperationRole = 'search' | 'list' | 'get' | 'create' | 'act' | 'other';

/** The resource of an operation: where it stands among the paths, and what it is called. */
export interface Subject {
  /** Its path without versions and verbs, with `{}` for each parameter that stands before its end. */
  readonly key: string;
  /** The words of its last fixed part, in the singular and in small letters. */
  readonly noun: string;
  /** Whether the path ends in a parameter: one of the resource, not all of them. */
  readonly isItem: boolean;
  /** The verb with which the path ends, where it does ("/things/search", "/things.list"). */
  readonly verb: string | undefined;
  /** Fixed parts of the key. */
  readonly depth: number;
  /** Parameters before the last fixed part: what a caller has to know beforehand. */
  readonly parents: number;
}

const prefix = /^(?:api|rest|public|json|v?\d+(?:\.\d+)*|v\d+\w*|\d{4}-\d\d(?:-\d\d)?|\w+-api)$/i;

/** Verbs that vendors write as the last part of a path. */
const pathVerbs = new Set(
  `list search find query get retrieve fetch show read lookup view create add new insert upsert
  update edit delete remove all info count sync filter send reply`.split(/\s+/),
);

const searching = /^(?:search|find|query|lookup|scroll|filter)$/;
const listing = /^(?:list|all|browse|index)$/;
const getting = /^(?:get|retrieve|fetch|show|read|view|info)$/;
const creating = /^(?:create|add|new|insert|upsert|send|reply)$/;

/**
 * The subject of an operation. Methods of RPC ("users.list") and of resources ("{id}:cancel") count as
 * parts, and no parameter that is the version of the API (`versions`).
 */
export function subjectOf(operation: ApiOperation, versions: readonly string[] = []): Subject {
  const parts = formless(requestPath(operation))
    .replace(/\?.*$/, '')
    .split(/[/.]|:(?=[a-z])/)
    .filter((part) => part !== '' && !versions.includes(part.slice(1, -1)));
  const isParameter = (part: string) => /[{}]/.test(part);
  const own = parts.filter((part, index) => isParameter(part) || !prefix.test(part) || index > 3);
  const all = own.length > 0 ? own : parts;
  const isVerb = (part: string) => {
    const [first = '', ...others] = wordsOf(part).map((word) => word.toLowerCase());
    return others.length === 0 && pathVerbs.has(first);
  };
  const named = all.findLastIndex((part) => !isParameter(part));
  // `/search/messages` is what others have as `/messages/search`.
  const isSearchOf = named === 1 && /^search$/i.test(all[0] ?? '');
  const at = isSearchOf ? 0 : named;
  const verb = isSearchOf || (named > 0 && isVerb(all[named] ?? '')) ? all[at] : undefined;
  const rest = verb === undefined ? all : all.filter((_, index) => index !== at);
  const end = rest.findLastIndex((part) => !isParameter(part));
  const before = rest.slice(0, Math.max(0, end));
  const key = [...before.map((part) => (isParameter(part) ? '{}' : part)), rest[end] ?? ''];
  return {
    key: key.join('/').toLowerCase(),
    noun: nounOf(rest[end] ?? all[0] ?? ''),
    isItem: isParameter(rest.at(-1) ?? ''),
    verb: verb?.toLowerCase(),
    depth: key.filter((part) => part !== '{}').length,
    parents: before.filter(isParameter).length,
  };
}

/** What an operation does. */
export function roleOf(
  operation: ApiOperation,
  { isItem, verb }: Subject,
  { reads, isList }: { readonly reads: boolean; readonly isList: boolean },
): OperationRole {
  const [first = '', ...others] = wordsOf(operation.id ?? '').map((word) => word.toLowerCase());
  const verbs = [verb ?? '', first, others.at(-1) ?? ''];
  const says = (pattern: RegExp) => verbs.some((word) => pattern.test(word));
  if (reads) {
    if (says(searching) || /(?:^|\/)search/.test(operation.path)) return 'search';
    if (verb !== undefined && listing.test(verb)) return 'list';
    if (isItem || (verb !== undefined && getting.test(verb))) return 'get';
    return isList || says(listing) ? 'list' : 'get';
  }
  if (operation.method === 'PUT' || operation.method === 'POST') {
    // What is sent on was made before.
    if (/\}\/send\/?$/.test(operation.path)) return 'act';
    if (says(creating)) return 'create';
    if (operation.method === 'PUT') return addsByPut(operation) ? 'create' : 'other';
    return isItem ? 'other' : 'act';
  }
  return 'other';
}

/** How a text begins of what makes something, and changes what is there besides ("Create or update"). */
const makesFirst = /^\W*(?:add|create|insert|post|submit|upload)s? /i;

/** Where one call writes over as many things as it is sent. */
const writtenTogether = /(?:^|[/_-])(?:batch|bulk|mass|multi)(?:$|[/_-])/i;

/** Whether what writes over things makes one of them: whatever it makes of many is for a person to say. */
export function saysToMake({ path, node }: Pick<ApiOperation, 'path' | 'node'>): boolean {
  return (
    makesFirst.test(String(node['summary'] ?? node['description'])) && !writtenTogether.test(path)
  );
}

/** Whether a PUT makes one of several, as a POST does elsewhere: `PUT /boxes`, "Create a box". */
export function addsByPut({ method, path, node }: ApiOperation): boolean {
  return method === 'PUT' && /s\/?$/i.test(path) && saysToMake({ path, node });
}

/** A path without the form of its answer, which names nothing: `/beds.{format}` is `/beds`. */
export function formless(path: string): string {
  return path.replace(/(?<=[^/])\.\{(?:_?format|ext|extension)\}(?=\/?$)/i, '');
}

/** The words of a part of a path in the singular: `line-items` is a `line item`. */
export const nounOf = oncePerText((part) => {
  const words = wordsOf(part).map((word) => word.toLowerCase());
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join(' ');
});

/** Words of which the plural does not say how the singular ends: `movies` is no `movy`. */
const endsInIe =
  /^(?:birdie|brownie|calorie|cookie|genie|hoodie|indie|movie|newbie|prairie|rookie|selfie|smoothie|veggie|zombie)s$/;
const sameOfMany = /^(?:series|species)$/;

function singular(word: string): string {
  if (sameOfMany.test(word)) return word;
  if (endsInIe.test(word)) return word.slice(0, -1);
  if (word.length < 4 || /(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|ss|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
