/** A path, perhaps with its method, is no text: the name says more. */
export function isRequest(summary: unknown): boolean {
  return typeof summary === 'string' && /^\s*(?:[A-Z]+ )?\/[^\s]*\s*$/.test(summary);
}

/** The name once more, the service behind its method, as Goa writes it: `beds#list` is "list beds". */
export function isNameAgain({ summary, operationId }: Readonly<Record<string, unknown>>): boolean {
  const [service, method] = String(operationId ?? '').split('#', 2);
  return method !== undefined && summary === `${method} ${service}`;
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

/** So many characters of a text tell what is done, what for and for whom. */
export const shownText = 200;
