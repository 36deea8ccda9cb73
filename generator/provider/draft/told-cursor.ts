import type { ToolInput } from '../../model/vendor/inputs/tool-input.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { mergedSchema } from '../examples/merged-schema.ts';

const giving = String.raw`(?:begin with|pass(?: in)?|provide|send|set (?:(?:it|this|\S*cursor\S*) )?to|specify|start with|supply|use)`;
/** A star or the number before all others, or nothing between two quotes. */
const sign = String.raw`["'\x60]?(?<sign>\*|-1)(?!\w)["'\x60]?`;
const none = String.raw`empty (?:string|text)|""|''|\x60\x60`;
const value = `(?:an? |the )?(?:value (?:of )?)?(?:${none}|${sign})`;
const firstPage = String.raw`(?:(?:first|initial) (?:call|page|query|request)|(?:begin|start)(?:ing)? (?:pagination|paging|the (?:pagination|traversal)))\b`;

/** How texts say what a first page sends, within a sentence. */
const toldFirst = [
  new RegExp(String.raw`\b${giving} ${value}[^.]{0,40}\b${firstPage}`, 'i'),
  new RegExp(String.raw`\b${firstPage}[^.]{0,40}\b${giving} ${value}`, 'i'),
];

/** Characters of a text in which it says so. */
const longestTold = 1000;

/** What would have to be held against such a value. */
const bounds = ['const', 'default', 'enum', 'format', 'minLength', 'pattern'];

/**
 * What the text of a cursor that may be left out says that the first page sends: `""`, `"*"` or `"-1"`.
 * Without it, these vendors page otherwise, or not at all.
 */
export function toldCursor(
  document: ApiDocument,
  { schema, description }: ToolInput,
): string | undefined {
  const merged = mergedSchema(document, schema);
  if (bounds.some((keyword) => keyword in merged)) return undefined;
  const texts = [description, merged['description']].map((text) => String(text ?? ''));
  const text = texts.join('\n').slice(0, longestTold);
  const found = toldFirst.map((each) => each.exec(text)).find((each) => each !== null);
  return found ? (found.groups?.['sign'] ?? '') : undefined;
}
