/** Characters of a claim. */
export const longestText = 1024;

/** Whether a claim is a text that can be kept and compared. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestText;
}

/**
 * A claim that has to be a text, where it is there: what is something else must not pass for one
 * that is missing.
 *
 * @param refused makes the error out of what is wrong
 * @throws what `refused` gives
 */
export function textClaim(
  name: string,
  value: unknown,
  refused: (why: string) => Error,
): string | undefined {
  if (value === undefined || isText(value)) return value;
  const came = typeof value === 'string' ? `one of ${value.length}` : kindOf(value);
  throw refused(`its ${name} must be a text of 1 to ${longestText} characters, not ${came}`);
}

/** What came, in words that tell nothing of it. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}
