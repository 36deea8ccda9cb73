const longestDescription = 1024;

/** What stands behind is never read: hiding places within hiding places take time to empty. */
const longestRead = 16_384;

/** Comments and the Unicode tag block: places where text hides from the reader of a page. */
const hidden = /<!--[\s\S]*?(?:-->|$)|[\u{e0000}-\u{e007f}]/gu;

/** Controls but tab and line feed, bidirectional marks, and characters without width. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Text of a vendor as a model may see it: nothing hidden in it, at most 1,024 characters. A
 * comment may be put together by removing another, so removal repeats until nothing changes.
 */
export function cleanText(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  let clean = text
    .slice(0, longestRead)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean.replace(hidden, '').replace(invisible, '');
  }
  clean = clean
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' ? undefined : shorten(clean, longestDescription);
}

/** Cut text at a word, with an ellipsis, where it is longer than `length`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).toWellFormed();
  const space = cut.search(/\s\S*$/);
  const kept = space > length / 2 ? cut.slice(0, space) : cut.replace(/\ufffd$/, '');
  return `${kept.trimEnd()}…`;
}
