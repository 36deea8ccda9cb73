/**
 * Kept vendors, the smallest first: queries and bodies, pages, lists in the query, unions, optional
 * bodies. Each has a place for something that those before it have none for.
 */
export const vendors = ['osv', 'frankfurter', 'hackernews', 'worldbank', 'notion', 'github'];

/** Those of which copies are rewritten as a whole: small ones, each of another form. */
export const rewritten = ['osv', 'frankfurter', 'hackernews', 'crossref'];
