import { isObject } from '#contract/json';
import { looksSecret } from '../../model/texts/secret-text.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { holdsCredential, publicAddress } from '../source/public-address.ts';
import { mergedSchema } from './merged-schema.ts';
import { schemaExample } from './schema-example.ts';
import type { SuccessContent } from './success-content.ts';

const mostItems = 2;
const longestText = 400;
const mostCharacters = 16_000;

/** An answer to test with: the vendor's example, cut to its pattern, or one made from the schema. */
export function responseExample(document: ApiDocument, content: SuccessContent): unknown {
  const { example, examples } = content.media;
  const [named] = isObject(examples) ? Object.values(examples) : [];
  const given = cutDown(example ?? (isObject(named) ? named['value'] : undefined));
  const isUsable = given !== undefined && JSON.stringify(given).length <= mostCharacters;
  return isUsable
    ? given
    : cutDown(schemaExample(document, mergedSchema(document, content.media['schema'])));
}

/** The lines of an answer that is one JSON text after the other (RFC 7464 puts a separator before each). */
export function linesExample(
  document: ApiDocument,
  { contentType, media }: Pick<SuccessContent, 'contentType' | 'media'>,
): string {
  const { itemSchema, schema } = media;
  const made = cutDown(schemaExample(document, mergedSchema(document, itemSchema ?? schema)));
  const values = itemSchema === undefined && Array.isArray(made) ? made : [made];
  const start = /^application\/json-seq\b/i.test(contentType) ? '\u001e' : '';
  return values.map((value) => `${start}${JSON.stringify(value)}\n`).join('');
}

/** A value of which the shape is left: short lists, short texts, no credentials. */
function cutDown(value: unknown): unknown {
  if (typeof value === 'string') {
    const url = holdsCredential(value) ? URL.parse(value) : null;
    // Who may read what lies there stands behind it: signed addresses are as good as their keys.
    const text = url === null ? value : publicAddress(url).href;
    return looksSecret(text) ? 'redacted' : text.slice(0, longestText).toWellFormed();
  }
  if (Array.isArray(value)) return value.slice(0, mostItems).map(cutDown);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutDown(member)]));
}
