/** Latin letters that no accent makes out of one of the alphabet's 26. */
const letters: Readonly<Record<string, string>> = {
  ...{
    ß: 'ss',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
  },
  ...{
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'Th',
    ı: 'i',
    ħ: 'h',
    Ħ: 'H',
    ŋ: 'n',
    Ŋ: 'N',
    ĸ: 'k',
    ŧ: 't',
    Ŧ: 'T',
  },
};

/**
 * A text in the letters that names of tools may have: accents come off (Unicode, NFKD), and where
 * letters of other scripts stand, which nobody can spell out without their language, is a blank.
 */
export function latinText(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? ' ').trim();
}

/** Whether a text is written in other letters, so that its Latin form would say too little of it. */
export function isForeign(text: string): boolean {
  const latin = latinText(text).replace(/[^A-Za-z]+/g, '').length;
  const all = text.normalize('NFKD').match(/\p{L}/gu)?.length ?? 0;
  return latin * 2 < all;
}
