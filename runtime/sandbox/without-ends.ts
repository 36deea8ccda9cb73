/** A script with more semicolons and comments at its end is a body with a mistake in it. */
const mostEnds = 8;

/**
 * What is left of a script without the semicolons and comments at its end: first all of it, then
 * ever less, because what looks like a comment may stand in a string.
 */
export function* withoutEnds(code: string): Generator<string> {
  let left = code.trim();
  for (let count = 0; count <= mostEnds; count += 1) {
    yield left;
    const shorter = withoutEnd(left).trimEnd();
    if (shorter === left) return;
    left = shorter;
  }
}

function withoutEnd(code: string): string {
  if (code.endsWith(';')) return code.slice(0, -1);
  if (code.endsWith('*/')) return code.slice(0, Math.max(0, code.lastIndexOf('/*')));
  const comment = code.lastIndexOf('//');
  return comment > code.lastIndexOf('\n') ? code.slice(0, comment) : code;
}
