/**
 * Vendors put their names for a page inside of others: `page[number]`, `listOptions.continue`, `$top`, `_page`.
 * `per.page` is one of them by itself.
 */
export const named = (names: string) =>
  new RegExp(`^(?:(?!per[.[])\\w+[.[]|[$_])?(?:${names.replaceAll('_?', '[-_]?')})\\]?$`, 'i');
