/**
 * Bound an `LRUCache` to a number of entries without room made for all of them at once: `max` alone
 * fills arrays of that length, which takes longer than the rest of a start.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: one };
}

function one(): number {
  return 1;
}
