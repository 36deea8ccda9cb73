/** Where a list is read from, as far as the address of its next page may come from there. */
export interface Place {
  readonly url: string;
  /** Parameters of the query that carry a credential. */
  readonly hidden: readonly string[];
}

/** The address of a next page, when it is the place that this page came from. */
export function within(place: Place | undefined, address: string): URL | undefined {
  if (place === undefined) return undefined;
  const own = new URL(place.url);
  const url = URL.parse(address, own);
  if (url === null || url.origin !== own.origin || url.pathname !== own.pathname) return undefined;
  for (const name of place.hidden) url.searchParams.delete(name);
  return url;
}
