import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from 'js-yaml';

/** Thrown where a text holds what only the whole reader understands, or refuses. */
export class NotQuick extends Error {}

export function notQuick(reason: string): never {
  throw new NotQuick(reason);
}

/** What else than texts there is, by the characters that it may begin with. */
const tags = Map.groupBy(
  [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag].flatMap((tag) =>
    (tag.implicitFirstChars ?? []).map((first) => ({ first, tag })),
  ),
  ({ first }) => first,
);

/** What a text without quotes stands for (YAML 1.2.2, section 10.3.2). */
export function plainValue(text: string): unknown {
  const others = tags.get(text.charAt(0));
  if (others === undefined) return text;
  for (const { tag } of others) {
    const value: unknown = tag.resolve(text, false, tag.tagName);
    if (typeof value === 'number' && !Number.isFinite(value)) notQuick('number');
    if (value !== NOT_RESOLVED) return value;
  }
  // What is too large for a number is a text to this reader.
  return Math.abs(Number(text)) === Number.POSITIVE_INFINITY ? notQuick('number') : text;
}
