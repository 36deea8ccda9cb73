/**
 * Characters that never stand raw in our output: controls, the line separators that older parsers
 * take for line ends, and the invisible ones that make text look different from what it is.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

const shortEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Print a string literal that nothing in `text` can leave. */
export function quoted(text: string): string {
  const quote = text.includes("'") && count(text, "'") > count(text, '"') ? '"' : "'";
  const safe = escaped(text).replaceAll(quote, `\\${quote}`).replaceAll('${', '\\u0024{');
  return quote + safe + quote;
}

/** Print a template literal without substitutions, its lines as they are. */
export function template(text: string): string {
  const lines = text.split('\n').map((line) => templateText(line));
  return `\`${lines.join('\n')}\``;
}

/** Escape text for the inside of a template literal. */
export function templateText(text: string): string {
  return escaped(text).replaceAll('`', '\\`').replaceAll('${', '\\${');
}

/** `text` with each character that a reader could not see written as an escape. */
export function visible(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

/** Whether `name` may stand as a property name without quotes. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
}

function escaped(text: string): string {
  return visible(text.replaceAll('\\', '\\\\'));
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
