/** Kept vendors of several forms: queries and bodies, pages, unions, without and with credentials. */
export const vendors = [
  ...['osv', 'frankfurter', 'hackernews', 'worldbank', 'endoflife', 'crossref'],
  ...['stackexchange', 'slack', 'notion', 'github'],
];

/** Those of which copies are rewritten as a whole: small ones, each of another form. */
export const rewritten = ['osv', 'frankfurter', 'hackernews', 'crossref'];
