const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/**
 * The name of a member that an object of a JSON text has twice, at any depth; nothing where all are
 * told apart. Readers differ in which of the two they take (RFC 8259 section 4).
 *
 * @param text JSON that has been parsed already
 */
export function repeatedMember(text: string): string | undefined {
  // Of each open object the names that it has so far; nothing for a list.
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(tokens)) {
    const names = open.at(-1);
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token !== ',' && isName && names) {
      const name: string = JSON.parse(token);
      if (names.has(name)) return name;
      names.add(name);
    }
    isName = token === '{' || token === ',';
  }
  return undefined;
}
