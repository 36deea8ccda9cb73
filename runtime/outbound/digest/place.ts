/** Where a list is read from, as far as the address of its next page may come from there. */
export interface Place {
  readonly url: string;
  /** What of its path is the operation's own, behind what its server puts in front. */
  readonly path: string;
  /** Parameters of the query that carry a credential. */
  readonly hidden: readonly string[];
}

/**
 * The address of a next page as this server asks for it, where it is one of the list that was read.
 * Nothing but its query is ever sent, to the place that this page came from: vendors behind proxies,
 * and those that have moved, name the scheme, the host and the port as they see them.
 */
export function within(place: Place | undefined, address: string): URL | undefined {
  if (place === undefined) return undefined;
  const own = new URL(place.url);
  const named = URL.parse(isQuery(address) ? `?${address}` : address, own);
  if (named === null || !/^https?:$/.test(named.protocol)) return undefined;
  if (!isSameList(place, own, named)) return undefined;
  const { search } = named;
  const url = new URL(own);
  url.search = search;
  for (const name of [...url.searchParams.keys()].filter((each) => isHidden(each, place))) {
    url.searchParams.delete(name);
  }
  return url;
}

/** Whether an address is the query of the next page alone, without the mark in front: `limit=10&after=7`. */
export function isQuery(address: string): boolean {
  return /^[\w.$[\]%-]+=[^/?#]*$/.test(address);
}

/** Whether a parameter carries a credential; some vendors write its name in other capitals. */
function isHidden(name: string, { hidden }: Place): boolean {
  return hidden.some((each) => each.toLowerCase() === name.toLowerCase());
}

/**
 * Whether an address is that of the list itself, as far as it names what the operation has of its path.
 * In front of that it may have what it likes: a proxy takes a part off, or puts one there.
 */
function isSameList({ path }: Place, own: URL, named: URL): boolean {
  const least = segmentsOf(path.split(/[?#]/, 1)[0] ?? '');
  const theirs = segmentsOf(named.pathname);
  if (least.length > 0) return theirs.length >= least.length && endAlike(least, theirs);
  const ours = segmentsOf(own.pathname);
  return theirs.length <= ours.length && endAlike(ours, theirs);
}

/** Words for whoever asks: the address of a next page may have the id in their place. */
const ofCaller = /^(?:@?me|~|-|self|current)$/;

/** Whether two paths are the same, from the end to where the shorter one begins. */
function endAlike(ours: readonly string[], theirs: readonly string[]): boolean {
  const length = Math.min(ours.length, theirs.length);
  const end = theirs.slice(theirs.length - length);
  return ours
    .slice(ours.length - length)
    .every((segment, at) => segment === end[at] || ofCaller.test(segment));
}

/**
 * The segments of a path as servers compare them: some answer with other capitals than they were asked
 * in, and with the key of OData in the other of its forms (OData URL Conventions 4.01, section 4.3.6).
 */
function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .map((segment) => decoded(segment).toLowerCase())
    .flatMap((segment) => /^([^()]+)\('?([^()]*?)'?\)$/.exec(segment)?.slice(1) ?? [segment])
    .filter((segment) => segment !== '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
