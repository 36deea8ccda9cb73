import { Document, stringify, visit } from 'yaml';

/**
 * What nobody sees on a screen, and what turns the direction of a line: a reviewer would read something
 * else than what stands there. The joiners of some scripts and of emoji stay.
 */
const unseen = /[\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/** A value as YAML in which each character is seen. */
export function visibleYaml(value: object): string {
  const options = { aliasDuplicateObjects: false };
  const text = stringify(value, { ...options, lineWidth: 100 });
  if (text.search(unseen) < 0) return text;
  const document = new Document(value, options);
  visit(document, {
    Scalar(_, scalar) {
      const { value: own } = scalar;
      // Only in double quotes are there escapes.
      if (typeof own === 'string' && own.search(unseen) >= 0) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 100 }).replace(unseen, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  });
}

/** JSON in which each character is seen. */
export function visibleJson(text: string): string {
  return text.replace(unseen, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
