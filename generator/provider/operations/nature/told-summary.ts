/** A path, perhaps with its method, is no text: the name says more. */
export function isRequest(summary: unknown): boolean {
  return typeof summary === 'string' && /^\s*(?:[A-Z]+ )?\/[^\s]*\s*$/.test(summary);
}

/** How something is done, before the verb that says what. */
const adverb =
  /^\W*(?:atomically|automatically|completely|conditionally|fully|immediately|manually|partially|permanently|safely|temporarily) (?=\p{L})/iu;

/** What stands before a text to sort it: "[search] Find things". */
const tag = /^\s*\[[^\]\n]{1,40}\]\s*(?=\p{L})/u;

/** What the texts of an operation say first: its summary, or its description where it has none. */
export function toldFirst(node: Readonly<Record<string, unknown>>): string {
  const { summary } = node;
  const told = String((isRequest(summary) ? undefined : summary) ?? node['description'] ?? '');
  return told.replace(tag, '').replace(adverb, '');
}
