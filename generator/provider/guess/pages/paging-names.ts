/** Vendors put their names for a page inside of others: `page[number]`, `listOptions.continue`, `$top`, `_page`. */
export const named = (names: string) =>
  new RegExp(`^(?:\\w+[.[]|[$_])?(?:${names.replaceAll('_?', '[-_]?')})\\]?$`, 'i');
