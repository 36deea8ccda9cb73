/** What stands in a document as one value, as text; nothing for maps and lists: `String` throws at those without prototype. */
export function valueText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value ?? '');
}
