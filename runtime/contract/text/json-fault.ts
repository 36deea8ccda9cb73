/**
 * Where a text stops being JSON, as far as the parser tells; `undefined` where it is JSON. Nothing of
 * the text is repeated: it may be secret.
 */
export function jsonFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return placeOf(error, text);
  }
}

function placeOf(error: unknown, text: string): string {
  const message = error instanceof SyntaxError ? error.message : '';
  if (message.startsWith('Unexpected end'))
    return `it ends too early, after ${text.length} characters`;
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  return position === undefined
    ? 'it is something else'
    : `it is wrong after ${position} characters`;
}
