const longestDescription = 1024;

/** What stands behind is never read: hiding places within hiding places take time to empty. */
const longestRead = 16_384;

/** Comments and the Unicode tag block: places where text hides from the reader of a page. */
const hidden = /<!--[\s\S]*?(?:-->|$)|[\u{e0000}-\u{e007f}]/gu;

/** Controls but tab and line feed, bidirectional marks, and characters without width. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Marks with which a conversation says who speaks: text that holds them could pass for another's. */
const roleMarks =
  /<\s*(?:\/\s*)?(?:system|assistant|developer)(?:\s[^<>]*)?\/?>|<\|\w{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/gi;

/**
 * Text of a vendor as a model may see it: nothing hidden in it, nobody else's words pretended, at
 * most 1,024 characters.
 */
export function cleanText(text: unknown): string | undefined {
  const clean = without(text, [hidden, invisible, roleMarks])
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' ? undefined : shorten(clean, longestDescription);
}

/** The role marks that a reader of the text would see, and that `cleanText` takes out. */
export function roleMarksIn(text: unknown): string[] {
  return without(text, [hidden, invisible]).match(roleMarks) ?? [];
}

/** What a reader of `text` would not see, and where. */
export function hiddenIn(text: string): { readonly offset: number; readonly what: string }[] {
  return [hidden, invisible].flatMap((mark) =>
    [...text.matchAll(mark)].map(({ 0: match, index }) => {
      const [character = ''] = match;
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return { offset: index, what: match.startsWith('<!--') ? 'a comment' : `U+${code}` };
    }),
  );
}

/** A comment may be put together by removing another, so removal repeats until nothing changes. */
function without(text: unknown, marks: readonly RegExp[]): string {
  if (typeof text !== 'string') return '';
  let clean = text
    .slice(0, longestRead)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = marks.reduce((rest, mark) => rest.replace(mark, ''), clean);
  }
  return clean;
}

/** Cut text at a word, with an ellipsis, where it is longer than `length`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).toWellFormed();
  const space = cut.search(/\s\S*$/);
  const kept = space > length / 2 ? cut.slice(0, space) : cut.replace(/\ufffd$/, '');
  return `${kept.trimEnd()}…`;
}
