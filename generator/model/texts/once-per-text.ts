/** So many texts are remembered, then all are forgotten: a document has some thousands. */
const mostTexts = 20_000;

/** A look at a text that is taken once: names and texts of a description are looked at again and again. */
export function oncePerText<Found>(look: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, { readonly found: Found }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.found;
    const found = look(text);
    if (known.size >= mostTexts) known.clear();
    known.set(text, { found });
    return found;
  };
}
