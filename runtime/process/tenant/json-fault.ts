/**
 * Where a text ceases to be JSON, as `line 2, column 7`; it is none. Nothing of it is repeated, as the
 * messages of `JSON.parse` do, because it may hold secrets.
 */
export function jsonFault(text: string): string {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Whether something could stand behind a text with which it is JSON. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return message.includes('end of JSON input') || Number(position ?? -1) >= text.length;
  }
}
