/** Kept vendors of several forms: queries and bodies, pages, unions, without and with credentials. */
export const vendors = [
  ...['osv', 'frankfurter', 'hackernews', 'worldbank', 'endoflife', 'crossref'],
  ...['stackexchange', 'slack', 'notion', 'github'],
];

/** Those that take long to read: only mutations that few others have a place for are tried with them. */
export const large: ReadonlySet<string> = new Set(['slack', 'notion', 'github']);
