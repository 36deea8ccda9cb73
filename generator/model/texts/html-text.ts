/** Code in Markdown stays as it is, whatever it holds; the rest is a tag, its name and its attributes. */
const parts =
  /(?<code>(?<fence>`{1,3})(?!`)[\s\S]*?(?<!`)\k<fence>(?!`))|<(?<end>\/?)(?<name>[a-z]+[1-6]?)(?<attributes>\s[^<>]{0,500})?\/?>/gi;

const closings = /<\/([a-z]+[1-6]?)\s*>/gi;

/** What speaks of markup shows its tags; a part of an address speaks of nothing. */
const speaksOfTags = /(?<![./\w-])(?:html|markup|tags?|xml|xhtml)\b(?!\/)/i;

const named = (names: string, text: string) =>
  names.split(' ').map((name) => [name, text] as const);

/** What stands for the tags of an element: a line of its own, code of Markdown, cells in a row, or nothing. */
const shown: ReadonlyMap<string, string> = new Map([
  ...named('address article blockquote br center dd div dl dt hr ol p pre section ul', '\n'),
  ...named('h1 h2 h3 h4 h5 h6 table tbody tfoot thead tr', '\n'),
  ...named('code kbd samp tt', '`'),
  ...named('td th', ' '),
  ...named('abbr b big cite dfn em font i ins mark nobr s small span strong sub sup u var', ''),
]);

/** Elements that authors leave open. */
const open = new Set(['br', 'hr', 'li', 'p', 'td', 'th', 'tr']);

const link = /\bhref\s*=\s*["']?(https?:[^\s"'()]+)/i;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&ldquo;': '“',
  '&mdash;': '—',
  '&nbsp;': ' ',
  '&ndash;': '–',
  '&quot;': '"',
  '&rdquo;': '”',
  '&rsquo;': '’',
};

/**
 * A text without the tags of HTML that say how it looks: lines where elements begin one, Markdown for items
 * and links. What is no element, or is not closed, is a placeholder such as `<code>` and stays.
 */
export function withoutHtml(text: string): string {
  if (!/[<&]/.test(text) || speaksOfTags.test(text)) return text;
  const closed = new Set([...text.matchAll(closings)].map(([, name = '']) => name.toLowerCase()));
  let address: string | undefined;
  const plain = text.replace(parts, (match, ...rest) => {
    const { code, end, name: written, attributes } = rest.at(-1);
    const name = written?.toLowerCase();
    if (code !== undefined || !(open.has(name) || closed.has(name))) return match;
    if (name === 'li') return end === '' ? '\n- ' : '';
    if (name !== 'a') return shown.get(name) ?? match;
    const before = address;
    address = end === '' ? link.exec(attributes)?.[1] : undefined;
    if (end === '') return address === undefined ? '' : '[';
    return before === undefined ? '' : `](${before})`;
  });
  const read = plain.replace(/&(?:[a-z]+|#39|#x27);/g, (entity) => entities[entity] ?? entity);
  return closed.has('li') || closed.has('ul') ? read.replace(/(?<!\s)\s+\n(?=- )/g, '\n') : read;
}
