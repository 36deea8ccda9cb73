/** Whether every character is one column wide. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const narrow = /^[\u0000-\u00ff]*$/;

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

const invisible = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** How many columns `text` takes, as formatters count: wide characters take two. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (wide.test(character)) width += 2;
    else if (!invisible.test(character)) width += 1;
  }
  return width;
}
