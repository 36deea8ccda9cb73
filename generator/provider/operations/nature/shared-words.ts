import { isObject } from '#contract/json';
import { type ApiOperation, requestPath } from '../../../model/schema/api-operations.ts';
import { smallWords } from '../../../model/texts/names.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { isMaking, reading } from './verbs.ts';

/** What operations are called in an API of acts: `POST /tools/list_campaigns/execute`, `execute_list_campaigns`. */
const carrying = /^(?:call|exec|execute|invoke|run)$/;

/** What says at the end of a name that it is one, or which version of the API it belongs to. */
const ending = /^(?:request|v\d+)$/;

/** Fewer operations have a word in common by chance. */
const fewestSharing = 5;
const carriedShare = 0.8;
const endingShare = 0.5;

/** What most operations of a description have in common, which says nothing of any of them. */
interface Shared {
  /** The last part of their paths. */
  readonly part: string | undefined;
  /** The first word of their ids. */
  readonly first: string | undefined;
  /** The last word of their ids. */
  readonly last: string | undefined;
  /** What their summaries begin with: the vendor, as its title calls it. */
  readonly vendor: string | undefined;
}

const known = new WeakMap<ApiDocument, Shared>();

/**
 * An operation as its own words call it: without the verb that nearly all share, and without what ends
 * the names of most. It is the operation itself where there is none of that.
 */
export function ownCalled(document: ApiDocument, operation: ApiOperation): ApiOperation {
  const shared = known.get(document) ?? sharedBy(document);
  known.set(document, shared);
  const path = partless(operation.path, shared.part);
  const id = wordless(operation.id, shared);
  const node = vendorless(operation.node, shared.vendor);
  if (path === operation.path && id === operation.id && node === operation.node) return operation;
  return { ...operation, id, path, node };
}

/** What is said of an operation, without the vendor before it: "Acme List Beds" has its verb behind that. */
function vendorless(node: ApiOperation['node'], vendor: string | undefined): ApiOperation['node'] {
  const summary = String(node['summary'] ?? '');
  if (vendor === undefined || !summary.startsWith(`${vendor} `)) return node;
  return { ...node, summary: summary.slice(vendor.length + 1) };
}

/** A word that is not what is done, where most texts begin with it. */
const firstWord = /^(\p{Lu}[\p{L}\d]*) \S/u;

/** The word of the title with which nearly all summaries begin. */
function vendorIn({ info }: ApiDocument['root'], summaries: readonly string[]) {
  const title = new Set(smallWords(String(info['title'])));
  const words = summaries.map((summary) => firstWord.exec(summary)?.[1] ?? '');
  const found = mostUsed(words, /./, carriedShare);
  const name = found?.toLowerCase() ?? '';
  return title.has(name) && !isMaking(name) && !reading.has(name) ? found : undefined;
}

function sharedBy({ root }: ApiDocument): Shared {
  const items = Object.entries(root.paths ?? {}).filter(([, item]) => isObject(item));
  const operations = items.flatMap(([path, item]) =>
    Object.values(item as object).flatMap((node) =>
      isObject(node) && isObject(node['responses'])
        ? [{ path, id: node['operationId'], summary: node['summary'] }]
        : [],
    ),
  );
  const ids = operations.flatMap(({ id }) => (typeof id === 'string' ? [smallWords(id)] : []));
  const parts = operations.map(({ path }) => fixedParts(path).at(-1) ?? '');
  const firsts = ids.map(([first = '']) => first);
  const lasts = ids.map((words) => words.at(-1) ?? '');
  const summaries = operations.flatMap(({ summary }) =>
    typeof summary === 'string' ? [summary] : [],
  );
  return {
    part: mostUsed(parts, carrying, carriedShare),
    first: mostUsed(firsts, carrying, carriedShare),
    last: mostUsed(lasts, ending, endingShare),
    vendor: vendorIn(root, summaries),
  };
}

/** The word of a kind that as many have as `share` says. */
function mostUsed(words: readonly string[], kind: RegExp, share: number): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) if (kind.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [found] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (found === undefined || found[1] < Math.max(fewestSharing, share * words.length)) {
    return undefined;
  }
  return found[0];
}

function partless(path: string, part: string | undefined): string {
  const end = `/${part ?? ''}`;
  return part !== undefined && path.endsWith(end) && fixedParts(path).length > 1
    ? path.slice(0, -end.length)
    : path;
}

function wordless(id: string | undefined, { first, last }: Shared): string | undefined {
  if (id === undefined || (first === undefined && last === undefined)) return id;
  const words = smallWords(id);
  const behind = first !== undefined && words[0] === first && id.toLowerCase().startsWith(first);
  const begun = behind ? id.slice(first.length).replace(/^[^\p{L}\d]+/u, '') : id;
  const before = last !== undefined && words.at(-1) === last && id.toLowerCase().endsWith(last);
  const own = before ? begun.slice(0, -last.length).replace(/[^\p{L}\d]+$/u, '') : begun;
  return own === '' ? id : own;
}

function fixedParts(path: string): readonly string[] {
  return requestPath({ path })
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'));
}
