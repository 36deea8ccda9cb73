const placeholder = /<([a-z][A-Za-z]*)(?::([a-z0-9]+))?>/g;

/** How a value that a caller chose is written into a query, so that it stays a value. */
export const valueForms = [
  'quoted',
  'lucene',
  'any',
  'list',
  'oneof',
  'field',
  'millis',
  'label',
  'pattern',
  'wild',
  'sql',
  'word',
] as const;
export type ValueForm = (typeof valueForms)[number];
/** How other values are written: times, durations, the host of a vendor. */
export const otherForms = [
  'ns',
  'us',
  'ms',
  's',
  'seconds',
  'rfc3339',
  'duration',
  'site',
] as const;

/** `<name>` or `<name:form>` in a text of a kind of back end. */
export interface Placeholder {
  readonly name: string;
  readonly form?: string;
}

/** The placeholders of a text, in their order. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(placeholder)].map(([, name = '', form]) => ({
    name,
    ...(form !== undefined && { form }),
  }));
}

/**
 * Put values where the placeholders of a text stand; `undefined` where one of them has none. A value
 * is not looked at again: what looks like a placeholder in it stays.
 */
export function fillIn(
  text: string,
  give: (placeholder: Placeholder) => string | undefined,
): string | undefined {
  let isComplete = true;
  const filled = text.replace(placeholder, (_, name: string, form?: string) => {
    const value = give({ name, ...(form !== undefined && { form }) });
    if (value === undefined) isComplete = false;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}
