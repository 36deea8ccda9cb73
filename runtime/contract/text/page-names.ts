/** Words that say where in a list a page begins. */
const placeWords =
  'pages?|paging|pagination|cursors?|offset|start(?:ing)?|skip|after|before|from|since|until|next|marker|continue|continuation|resumption|last|scroll|bookmark|seek|position|iterator|begin(?:ning)?';
/** Words that say how much of it a page holds. */
const sizeWords = 'limit|size|per|len|length|count|top|first|take|rows|max(?:imum)?';
/** What stands beside them: alone it may be the name of anything, of a credential too. */
const besides =
  'ids?|keys?|token|numbers?|num|no|nr|at|to|value|index|idx|items?|results?|row|records?|entry|entries|elements?|objects?|hits?|lists?|state|time|timestamp|ts|date|end(?:ing)?|exclusive|inclusive|evaluated|partition|mark|current|min';

/** Some vendors write words together, as in `skiptoken`. */
const anyOf = new RegExp(`^(?:${placeWords}|${sizeWords}|${besides})+$`);
const place = new RegExp(`^(?:${besides})*?(?:${placeWords})(?:${besides}|${placeWords})*$`);
const size = new RegExp(
  `^(?:${besides}|${placeWords})*?(?:${sizeWords})(?:${besides}|${placeWords}|${sizeWords})*$`,
);
/** `max_id` is where the ids of a page begin. */
const largestId = /max(?:imum)?(?:id|key|token)$/;

/** No name of a page is longer; what reads one need not look further. */
const longestName = 64;

/** What a name of a query parameter says of a page, where nothing but that is in its words. */
export type PageMeaning = 'place' | 'size';

/**
 * What a name says of a page: `place` for `after`, `page[number]`, `$skiptoken` or `max_id`, `size` for
 * `per_page` or `pageSize`. Every word counts, not what letters happen to stand in it: `account` has
 * nothing to do with `count`, and `from_user` asks for somebody.
 */
export function pageMeaning(name: string): PageMeaning | undefined {
  if (name.length > longestName) return undefined;
  const words = wordsOf(name);
  if (words.length === 0 || !words.every((word) => anyOf.test(word))) return undefined;
  if (largestId.test(words.join(''))) return 'place';
  if (words.some((word) => size.test(word))) return 'size';
  return words.some((word) => place.test(word)) ? 'place' : undefined;
}

/** Whether one of the words in a name has to do with pages, whatever the others are. */
export function speaksOfPages(name: string): boolean {
  return wordsOf(name).some((word) => pageMeaning(word) !== undefined);
}

/** The words of `nextPageToken`, `next-page-token` and `page[after]`, in lower case. */
function wordsOf(name: string): string[] {
  const apart = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return apart
    .toLowerCase()
    .split(/[\s_.$@[\]-]+/)
    .filter((word) => word !== '');
}
