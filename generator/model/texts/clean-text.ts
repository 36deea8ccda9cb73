import { withoutHtml } from './html-text.ts';
import { oncePerText } from './once-per-text.ts';

const longestDescription = 1024;

/** What stands behind is never read: hiding places within hiding places take time to empty. */
export const longestRead = 16_384;

/** Comments, and what a page runs or styles itself with: places where text hides from its reader. */
const unseen =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|iframe|svg)\b[^<>]{0,2000}>(?:[\s\S]*?<\/\1\s*>)?/gi;

/** Commands to a terminal, which could colour text away (ECMA-48, 5.4). */
const terminalCommands =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]?|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]{0,512}(?:\u0007|\u001b\\|\u009c)?/g;

/** Controls but tab and line feed, and all that Unicode gives no shape: bidirectional marks, tags, selectors. */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]--[\t\n]]/gv;

/** What a page would load as soon as it is shown: the address tells others what was read. */
const pictures =
  /!\[([^\]\n]{0,300})\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)|\[[^\]\n]{0,300}\])|<(?:img|image|picture|source|link|embed|object)\b[^<>]{0,4000}>/gi;

/** Contents within an address, which nobody reads. */
const dataAddresses =
  /\bdata:(?:[\w.+-]{1,40}\/[\w.+*-]{1,80})?(?:;[\w=.+-]{1,80}){0,4},[^\s"'<>()[\]]{8,}/gi;

/** Marks with which a conversation says who speaks: text that holds them could pass for another's. */
const roleMarks =
  /<\s*(?:\/\s*)?(?:system|assistant|developer)(?:\s[^<>]*)?\/?>|<\|\w{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/gi;

/** Blanks at the end of a line; looked for from their first one alone, or long runs would take ages. */
const blankEnds = /(?<![ \t])[ \t]+\n/g;

const hiding = [unseen, terminalCommands, invisible, pictures, dataAddresses];

/**
 * Text of a vendor as a model may see it: nothing hidden in it, nobody else's words pretended, at
 * most 1,024 characters.
 */
export function cleanText(text: unknown): string | undefined {
  return typeof text === 'string' ? cleaned(text) : undefined;
}

/**
 * Line feeds that were escaped twice: two in a row, or behind what ends a line where another one begins. In code
 * one of them stays, and where a text speaks of the characters themselves: "Default: \n".
 */
const writtenBreaks =
  /(?:(?:\\r)?\\n){2,}|(?<=[.:!?)] ?)(?:\\r)?\\n(?=[ \t]*[^\s\\a-z.,;)])|(?<=[.!?)] ?)(?:\\r)?\\n(?=\s*$)/g;

const cleaned = oncePerText((written) => {
  const text = written.replace(writtenBreaks, '\n\n');
  // Tags that are gone may have stood inside of what is looked for.
  const clean = without(withoutHtml(without(text, hiding)), [...hiding, roleMarks])
    .replace(blankEnds, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return clean === '' ? undefined : shorten(clean, longestDescription);
});

/** The role marks that a reader of the text would see, and that `cleanText` takes out. */
export function roleMarksIn(text: unknown): string[] {
  return without(text, hiding).match(roleMarks) ?? [];
}

/**
 * Pictures of several characters, some without a shape of their own: they are seen (UTS #51, 1.4.9).
 * Made where a text needs it: to make this expression takes longer than all others together.
 */
let emoji: RegExp | undefined;

/** What a reader of `text` would not see, and where. */
export function hiddenIn(text: string): { readonly offset: number; readonly what: string }[] {
  if (plain.test(text) && !text.includes('<')) return [];
  emoji ??= /\p{RGI_Emoji}/gv;
  const read = text.replace(emoji, (picture) => '.'.repeat(picture.length));
  return [unseen, invisible].flatMap((mark) =>
    [...read.matchAll(mark)].map(({ 0: match, index }) => {
      const [character = ''] = match;
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return { offset: index, what: match.startsWith('<') ? unseenName(match) : `U+${code}` };
    }),
  );
}

function unseenName(match: string): string {
  return match.startsWith('<!--') ? 'a comment' : 'a block that no page shows';
}

const plain = /^[\t\n -~]*$/;
/** Without one of these, no mark stands in a plain text. */
const startsAnyMark = /[<[]|data:/i;

/** A comment may be put together by removing another, so removal repeats until nothing changes. */
function without(text: unknown, marks: readonly RegExp[]): string {
  if (typeof text !== 'string') return '';
  const read = text.slice(0, longestRead);
  // Most texts, of which there are thousands.
  if (plain.test(read) && !startsAnyMark.test(read)) return read;
  let clean = read.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, '\n');
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = marks.reduce((rest, mark) => rest.replace(mark, left(mark)), clean);
  }
  return clean;
}

/** What is left of a mark: of a picture, the words that stand for it. */
function left(mark: RegExp): (match: string, words?: string) => string {
  return mark === pictures ? (_, words) => words ?? '' : () => '';
}

/** Cut text at a word, with an ellipsis, where it is longer than `length`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).toWellFormed();
  const space = cut.search(/\s\S*$/);
  const kept = space > length / 2 ? cut.slice(0, space) : cut.replace(/\ufffd$/, '');
  return `${kept.trimEnd()}…`;
}
