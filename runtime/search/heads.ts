import type { Concept } from './concepts.ts';
import { type Token, wordsOf } from './words.ts';

/** What a tool counts that is about another thing that was spoken of, and about one that was not. */
const otherHead = 0.85;
const strangeHead = 0.7;

/** What begins or ends a name that is no thing. */
const verbs = new Set(
  wordsOf(
    'get list show fetch retrieve read find search query browse describe info create add insert new ' +
      'post send make upload register open start write update edit modify patch replace set put ' +
      'change delete remove destroy clear cancel run execute',
  ),
);

/** What comes behind one of these only says more of the thing. */
const prepositions = new Set(wordsOf('by for of in to from with on at'));

/** What names of a vendor have in front or behind, whatever they are about. */
const empty = /^(?:v?\d+|api|route)$/;

/**
 * How far a tool is about what somebody wants first: `things` as they are spoken of. "Add a message to
 * the conversation" is about a message, and `create_invoice_attachment_by_name` about an attachment.
 */
export function pertinence(
  name: readonly Token[],
  vendor: readonly string[],
  things: readonly Concept[],
): number {
  const head = headOf(name.filter(({ word }) => !vendor.includes(word) && !empty.test(word)));
  if (head === undefined || things.length === 0 || things[0]?.has(head)) return 1;
  return things.some((concept) => concept.has(head)) ? otherHead : strangeHead;
}

/** The last thing of a name, before what only says more of it. */
function headOf(name: readonly Token[]): string | undefined {
  const end = name.findIndex(({ word }, at) => at > 0 && prepositions.has(word));
  let rest = end > 0 ? name.slice(0, end) : name;
  const begins = isVerb(rest[0]);
  if (begins && rest.length > 1) rest = rest.slice(1);
  const ends = isVerb(rest.at(-1)) && (!begins || rest.at(-2)?.isMany === true);
  return (ends && rest.length > 1 ? rest.at(-2) : rest.at(-1))?.word;
}

/** In the plural it is a thing: `list_dashboard_lists`. */
function isVerb(token: Token | undefined): boolean {
  return token !== undefined && verbs.has(token.word) && !token.isMany;
}
