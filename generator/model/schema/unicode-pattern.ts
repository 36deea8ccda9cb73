/** Whether a backslash before this character says nothing: what is special keeps it, and letters stay as they are. */
const isNeedless = (character: string, isInClass: boolean) =>
  character === '-' ? !isInClass : /^[^A-Za-z0-9^$\\.*+?()[\]{}|/]$/u.test(character);

/** An escape, the beginning or the end of a class, or another character. */
const parts = /\\(?:[\ud800-\udbff][\udc00-\udfff]|[\s\S])|[\s\S]/g;

/**
 * The same pattern without the backslashes that the flag `u` refuses (`\_`, `\@`, `\-` outside of a class), where
 * they are all that is in its way: JSON Schema has patterns with the flag (2020-12 core, section 6.4), and so have
 * clients and models that refuse a list of tools for one that is none.
 */
export function unicodePattern(pattern: string): string {
  if (compiles(pattern, 'u') || !compiles(pattern)) return pattern;
  let isInClass = false;
  const bare = pattern.replace(parts, (part) => {
    if (part.startsWith('\\')) return isNeedless(part.slice(1), isInClass) ? part.slice(1) : part;
    if (part === '[') isInClass = true;
    if (part === ']') isInClass = false;
    return part;
  });
  return compiles(bare, 'u') ? bare : pattern;
}

function compiles(pattern: string, flags = ''): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
