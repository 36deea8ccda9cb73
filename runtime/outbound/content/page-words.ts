import { wholeCharacters } from '#contract/text/fit';
import { withoutTags } from './plain-text.ts';

/** So much of a page is looked at: what a proxy or a framework says stands at its beginning. */
const lookedAt = 32_768;
/** So much of it is told; a trace of the vendor's code is longer. */
const longestWords = 200;

/** What is written between these is for no reader. */
const silent = /<(script|style|noscript|template|svg|select)\b|<!--/gi;

const marks: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#x27': "'", nbsp: ' ' },
  ...{ ndash: '-', mdash: '-', rsquo: "'", middot: '-', hellip: '…' },
};

/** The title of an HTML page and its first words; nothing where it has none. */
export function pageWords(html: string): string | undefined {
  const page = spoken(html.slice(0, lookedAt));
  const title = plain(/<title\b[^<>]*>([^<]*)/i.exec(page)?.[1] ?? '');
  const head = /<body\b|<\/head\s*>|<\/title\s*>/i.exec(page);
  const body = plain(page.slice(head?.index ?? 0).replace(/^<\/?\w+[^<>]*>/, ''));
  const rest = body.startsWith(title) ? body.slice(title.length).trim() : body;
  const words = [title, rest].filter((text) => text !== '').join(': ');
  if (words.length <= longestWords) return words === '' ? undefined : words;
  return `${words.slice(0, wholeCharacters(words, longestWords))}…`;
}

/** A page without scripts, styles and comments; one that does not end takes the rest with it. */
function spoken(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    silent.lastIndex = at;
    const found = silent.exec(html);
    if (!found) return kept.join(' ') + html.slice(at);
    kept.push(html.slice(at, found.index));
    const end = found[1] === undefined ? /-->/g : new RegExp(`</${found[1]}[^<>]*>`, 'gi');
    end.lastIndex = found.index;
    if (!end.exec(html)) return kept.join(' ');
    at = end.lastIndex;
  }
}

function plain(html: string): string {
  const text = withoutTags(html).replace(
    /&(#?\w{2,6});/g,
    (mark, name: string) => marks[name.toLowerCase()] ?? mark,
  );
  return text.replace(/\s+/g, ' ').trim();
}
