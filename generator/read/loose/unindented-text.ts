import { isScalar, parseDocument, visit } from 'yaml';

/** So many texts in quotes that are written so are read: each is found by reading the file again. */
export const mostUnindented = 20;

/** How the parser says that it has found no end of a text in quotes. */
export const missingQuote = /closing ["']quote/;

/** A text with its quotes closed, and where those began that were not indented. */
export interface IndentedText {
  readonly text: string;
  readonly offsets: readonly number[];
}

/**
 * Read texts in quotes as one line whose further lines stand further left than YAML 1.2 allows
 * (section 7.3.1), as certificates do that were pasted: other readers take them. Every character
 * keeps its place; the line breaks become blanks, which is what they mean inside of quotes.
 *
 * @returns nothing where this is not what is wrong
 */
export function indentQuoted(source: string): IndentedText | undefined {
  const offsets: number[] = [];
  let text = source;
  while (offsets.length <= mostUnindented) {
    const open = firstOpen(text);
    if (open === undefined) return offsets.length > 0 ? { text, offsets } : undefined;
    const close = closingQuote(text, open);
    const quoted = text.slice(open, close);
    if (close === undefined || !quoted.includes('\n') || !endsValue.test(text.slice(close))) {
      return undefined;
    }
    text = text.slice(0, open) + quoted.replace(/[\r\n]/g, ' ') + text.slice(close);
    offsets.push(open);
  }
  return undefined;
}

/** What may stand behind a value on its line. */
const endsValue = /^[ \t]*(?:[,\]}]|#|\r?\n|$)/;

/** Where the first text in quotes begins that a parser finds without its end. */
function firstOpen(text: string): number | undefined {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  const error = document.errors.find(
    ({ code, message }) => code === 'MISSING_CHAR' && missingQuote.test(message),
  );
  if (error === undefined) return undefined;
  let open: number | undefined;
  visit(document, {
    Node(_, node) {
      const [start = 0, end = 0] = node.range ?? [];
      if (isScalar(node) && start < error.pos[0] && error.pos[0] <= end) open = start;
    },
  });
  return open !== undefined && /["']/.test(text.charAt(open)) ? open : undefined;
}

/** Where the quote stands that closes the one at an offset (YAML 1.2, 7.3.1 and 7.3.2). */
function closingQuote(text: string, open: number): number | undefined {
  const isDouble = text.charAt(open) === '"';
  const end = isDouble ? /\\[\s\S]|"/g : /''|'/g;
  end.lastIndex = open + 1;
  for (let found = end.exec(text); found !== null; found = end.exec(text)) {
    if (found[0].length === 1) return found.index + 1;
  }
  return undefined;
}
