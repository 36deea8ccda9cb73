import { type SecretPart, secretsIn } from '#contract/secret-values';

/**
 * What shows nothing, moves or strikes out what stands around it, or passes for the end of a line:
 * controls, formats, unassigned and private characters (Unicode, general category C), all blanks
 * but the one of the keyboard, fillers (Default_Ignorable_Code_Point and those that only look
 * empty), overlays. The quotes that stand around our own marks are among them, so that nobody
 * else's text has such a mark.
 */
const unseen =
  /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Me}\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}‹›]--[ ]]/gv;
/** A mark on nothing would sit on what we have written; many on one letter cover the line above. */
const strayMark = /(?<![\p{L}\p{N}\p{S}\p{M}])\p{M}|(?<=\p{M}{4})\p{M}/gu;
/** Letters that look like Latin ones, where they stand in a word that has some of these too. */
const lookalike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
const latin = /\p{Script=Latin}/u;
const word = /\p{L}+/gu;
/** So many blanks push what follows out of sight, or to where a new line would begin. */
const blanks = / {3,}/g;

/**
 * Show a text so that a person sees all of it: what cannot be seen, or is not what it looks like,
 * becomes its code point, as `‹U+202E›`. Line breaks have to be gone by then.
 */
export function visible(text: string): string {
  return text
    .replaceAll(unseen, codePoint)
    .replaceAll(strayMark, codePoint)
    .replaceAll(word, (letters) =>
      latin.test(letters) ? letters.replaceAll(lookalike, codePoint) : letters,
    )
    .replaceAll(blanks, (run) => `‹${run.length} blanks›`);
}

/** The same of a JSON string, without its quotes; secrets in it are masked where they stand. */
export function visibleString(text: string): string {
  let shown = '';
  let from = 0;
  for (const part of secretsIn(text)) {
    shown += escaped(text.slice(from, part.start)) + maskOf(part);
    from = part.end;
  }
  return shown + escaped(text.slice(from));
}

/** What stands for a secret. */
export function maskOf({ start, end, what }: SecretPart): string {
  return `‹not shown: ${what}, ${end - start} characters›`;
}

/** One line of at most so many characters, of what is not an argument; says how much is left out. */
export function visibleLine(text: string, most: number): string {
  const cut = text.length - most;
  const shown = visibleString(text.slice(0, most).toWellFormed());
  return cut > 0 ? `${shown} ‹${cut} more characters›` : shown;
}

function escaped(text: string): string {
  return visible(JSON.stringify(text).slice(1, -1));
}

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
