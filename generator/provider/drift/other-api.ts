import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { apiOperations } from '../../model/schema/api-operations.ts';
import type { Curation } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { usableServer } from '../guess/guess-server.ts';
import type { Later } from './described.ts';
import type { Pair } from './pair-operations.ts';
import type { Unread } from './unread.ts';

interface Comparing {
  readonly curation: Curation;
  readonly document: ApiDocument;
  readonly later: Later;
  readonly pairs: readonly Pair[];
  readonly unread: Unread;
}

/** Fewer than one in so many operations are found in a description of something else by chance. */
const chance = 4;

/**
 * Whether a later description is one of another API: it has none of the operations, or hardly any,
 * and calls itself or its servers otherwise.
 */
export function otherApi(comparing: Comparing): Diagnostic | undefined {
  const { curation, document, later, pairs, unread } = comparing;
  const found = pairs.filter(({ now, was }) => now !== undefined || unread.path(was.path)).length;
  if (pairs.length === 0 || found * chance >= pairs.length) return undefined;
  const isEmpty = apiOperations(later.document).all.length === 0;
  const titles = [titleOf(document), titleOf(later.document)] as const;
  const hosts = [keptHosts(curation), hostsOf(later)] as const;
  const isTitled = isUnlike(wordsOf(titles[0]), wordsOf(titles[1]));
  const isElsewhere = !curation.self_hosted && isUnlike(...hosts);
  const isOther = found === 0 ? isEmpty || isTitled || isElsewhere : isTitled && isElsewhere;
  if (!isOther) return undefined;
  const at = later.document.locate('/info/title');
  const many = found === 0 ? 'none' : `${found}`;
  const own = isEmpty ? 'it has no operations' : `it describes ${shown(titles[1], hosts[1])}`;
  const message = `${many} of the ${pairs.length} operations of ${curation.provider} are in this description: ${own}, ${curation.provider} keeps ${shown(titles[0], hosts[0])}`;
  const help = 'give a later description of the same API; another one is a provider of its own';
  return diagnose('P040', { ...at, pointer: '/info/title' }, message, { help });
}

function titleOf({ root }: ApiDocument): string {
  return String(root.info['title'] ?? '');
}

/** Words that say nothing of whose API it is. */
const common =
  /^(?:the|an?|of|for|and|api|apis|rest|restful|http|web|open|openapi|swagger|public|service|services|server|platform|definition|specification|spec|documentation|docs|reference|untitled|fastapi|v?\d+)$/;

function wordsOf(title: string): readonly string[] {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !common.test(word));
}

/** Whether both say something, and nothing of it is the same. */
function isUnlike(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((one) => others.includes(one));
}

/** The hosts of a provider, but for the one that stands in for what its description did not name. */
function keptHosts({ provider, servers }: Curation): readonly string[] {
  const unknown = `${provider.replaceAll('_', '-')}.example`;
  return servers.flatMap(({ url }) => hostOf(url)).filter((host) => host !== unknown);
}

/** The hosts that a description names for all of it, or else for its first operations. */
function hostsOf({ document, origin }: Later): readonly string[] {
  const servers = [
    ...(document.root.servers ?? []),
    ...apiOperations(document)
      .all.slice(0, mostAsked)
      .flatMap(({ node, pathItem }) =>
        [node, pathItem.node].flatMap(({ servers: own }) => (Array.isArray(own) ? own : [])),
      ),
  ];
  return servers.flatMap((server) => hostOf(usableServer(server, origin)?.url));
}

const mostAsked = 100;

/** The part of a name that its owner has registered; nothing of a machine nearby. */
function hostOf(url: string | undefined): readonly string[] {
  const name = url === undefined ? undefined : URL.parse(url)?.hostname;
  if (name === undefined || /^[\d.]+$|^\[|^localhost$|\.(?:local|internal)$/.test(name)) return [];
  return [name.split('.').slice(-2).join('.')];
}

function shown(title: string, hosts: readonly string[]): string {
  const [host] = hosts;
  return JSON.stringify(title) + (host === undefined ? '' : ` of ${host}`);
}
