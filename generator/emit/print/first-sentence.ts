const longest = 160;

/** The first sentence of a description, as a doc comment has it: it ends in a full stop. */
export function firstSentence(text: string): string {
  const [paragraph = ''] = text.split('\n\n');
  const line = paragraph.replace(/\s+/g, ' ').trim();
  const end = line.search(/[.!?](?= [\p{Lu}`"'(])/u);
  const sentence = end < 0 ? line : line.slice(0, end + 1);
  if (sentence.length > longest) {
    const cut = sentence.slice(0, longest);
    return `${cut
      .slice(0, cut.lastIndexOf(' ') + 1 || longest)
      .trimEnd()
      .toWellFormed()} ...`;
  }
  return /[.!?:…]$/.test(sentence) ? sentence : `${sentence}.`;
}
