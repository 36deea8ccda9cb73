/** Words that say where in a list a page begins. */
const placeWords =
  'pages?|paging|pagination|cursors?|offset|start(?:ing)?|skip|after|before|from|since|until|next|marker|continue|continuation|resumption|last|scroll|bookmark|seek|position|iterator|begin(?:ning)?';
/** Words that say how much of it a page holds. */
const sizeWords = 'limit|size|per|len|length|count|top|first|take|rows|max(?:imum)?';
/** What stands beside them: alone it may be the name of anything, of a credential too. */
const besides =
  'ids?|keys?|token|numbers?|num|no|nr|at|to|value|index|idx|seen|items?|results?|row|records?|entry|entries|elements?|objects?|hits?|lists?|state|time|timestamp|ts|date|end(?:ing)?|exclusive|inclusive|evaluated|partition|mark|current|min';

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
  // PHP, for one, takes the blank in front of a name away, and reads another one.
  if (name.length > longestName || !/^[\w$@.[\]-]+$/.test(name)) return undefined;
  const words = wordsOf(name);
  if (words.length === 0 || !words.every((word) => anyOf.test(word))) return undefined;
  if (largestId.test(words.join(''))) return 'place';
  if (words.some((word) => size.test(word))) return 'size';
  return words.some((word) => place.test(word)) ? 'place' : undefined;
}

/** What holds the place in a list, such as `listOptions.continue`. */
const held = /^(?:page|pagination|paging|cursor|list\w*|options?)[.[]([^.[\]]+)\]?$/i;
/** A place that is named after what the list is of, as in `next_order_id` or `start_after_order_id`. */
const ofThing =
  /^(?:next|start(?:ing)? after) (?:\w+ )*(?:id|token|cursor|key)$|^(?:batch|resume) token$/;

/**
 * Whether the name of a parameter that a description has says where a page begins or how long it is. A
 * word of pages among others says nothing: `first_name` and `last_modified_by` are of no page.
 */
export function speaksOfPages(name: string): boolean {
  const inside = held.exec(name)?.[1] ?? name;
  return pageMeaning(inside) !== undefined || ofThing.test(wordsOf(inside).join(' '));
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
