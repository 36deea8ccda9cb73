/**
 * What values take in memory, in bytes, as far as their text tells: found out before they are made.
 * The figures are those of V8, rounded up.
 */
const weights = {
  object: 64,
  array: 48,
  /** An element of an array or a member of an object, whatever it holds. */
  place: 8,
  text: 40,
  /** A name that did not stand in this text before: objects with new names share no layout. */
  newName: 200,
  /** Members that are called by numbers lie in a table of their own. */
  numberName: 240,
  element: 240,
  attribute: 80,
  reference: 40,
} as const;

const code = {
  quote: 0x22,
  ampersand: 0x26,
  comma: 0x2c,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  less: 0x3c,
  equals: 0x3d,
  bracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  brace: 0x7b,
  closingBrace: 0x7d,
} as const;

/** What the values of a text weigh and how deep they lie; more than was asked for is not counted. */
export interface Weight {
  readonly bytes: number;
  readonly levels: number;
}

/** Which names were seen, by 20 bits of their hash: enough for what may be read at all. */
const seen = new Uint32Array(2 ** 15);

/**
 * Weigh JSON text, broken text as well, at a small part of the price of parsing it. Counting stops
 * above `most.bytes` or `most.levels`.
 */
export function weighJson(text: string, most: Weight): Weight {
  seen.fill(0);
  const { length } = text;
  let bytes = 0;
  let levels = 0;
  let deepest = 0;
  /** Of the last text, which may turn out to be a name. */
  let hash = 0;
  let first = 0;
  for (let at = 0; at < length; at += 1) {
    switch (text.charCodeAt(at)) {
      case code.quote:
        first = text.charCodeAt(at + 1);
        hash = 0;
        for (at += 1; at < length; at += 1) {
          const unit = text.charCodeAt(at);
          if (unit === code.quote) break;
          if (unit === code.backslash) at += 1;
          hash = (Math.imul(hash, 31) + unit) | 0;
        }
        bytes += weights.text;
        break;
      case code.colon: {
        const bit = 1 << (hash & 31);
        const word = (hash >>> 5) & 0x7fff;
        const isNew = ((seen[word] ?? 0) & bit) === 0;
        seen[word] = (seen[word] ?? 0) | bit;
        if (isNew) bytes += weights.newName;
        if (first >= code.zero && first <= code.nine) bytes += weights.numberName;
        else bytes -= weights.text;
        break;
      }
      case code.comma:
        bytes += weights.place;
        break;
      case code.brace:
      case code.bracket:
        bytes += text.charCodeAt(at) === code.brace ? weights.object : weights.array;
        levels += 1;
        if (levels > deepest) deepest = levels;
        if (bytes > most.bytes || deepest > most.levels) return { bytes, levels: deepest };
        break;
      case code.closingBrace:
      case code.closingBracket:
        levels -= 1;
        break;
      default:
    }
  }
  return { bytes, levels: deepest };
}

/** Weigh the elements, attributes and references of XML. Its parser bounds their depth. */
export function weighXml(text: string, most: Weight): Weight {
  const { length } = text;
  let bytes = 0;
  for (let at = 0; at < length && bytes <= most.bytes; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === code.less) bytes += weights.element;
    else if (unit === code.equals) bytes += weights.attribute;
    else if (unit === code.ampersand) bytes += weights.reference;
  }
  return { bytes, levels: 0 };
}
